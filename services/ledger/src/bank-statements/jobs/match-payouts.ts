import { startLoop, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import { endDifferences, findBankDifferences, lockBankLine, postMovements } from '../bank-differences.ts'
import { matchProcessorPayouts } from '../processor-payouts.ts'
import { emitPayout, takeStep } from '../../payouts/steps.ts'
import { MAIN_BANK } from '../../posting/accounts.ts'
import * as store from '../store.ts'

/** Imports and uploads of payment files wake the loop. */
const EVERY_MS = 10_000
const BATCH = 100

const NO_REASON = 'Returned by the bank'

type Line = Awaited<ReturnType<typeof store.listSteps>>[number]

/** Brings the payout of a line a step further, once. @returns whether it did */
const matchLine = (db: Db, line: Line, now: Date): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { lineId, payoutId, returnReason, step, isTaken } = line
    const open = await lockBankLine(tx, lineId, null)
    if (open === null) return false
    if (isTaken) {
      if ((await store.setStep(tx, { lineId, step, now })) === null) return false
      await postMovements(tx, await endDifferences(tx, open, now), now)
      return true
    }
    const wanted = { payoutId, step, at: now } as const
    const stepped = await takeStep(
      tx,
      step === 'settled'
        ? { ...wanted, counterpart: MAIN_BANK.name }
        : { ...wanted, returnReason: returnReason ?? NO_REASON },
      now,
    )
    // Another replica, or a person, was faster.
    if (!stepped?.row) return false
    if ((await store.setStep(tx, { lineId, step, now })) === null)
      throw new Error(`${lineId} was matched while its payout was locked`)
    await postMovements(tx, await endDifferences(tx, open, now), now)
    await emitPayout(tx, step === 'settled' ? 'payout.settled' : 'payout.returned', stepped.row, now)
    return true
  })

/**
 * Settles and returns payouts by the lines of the bank's statements, whichever came first: the line, or the confirmation
 * that its file was uploaded.
 * @returns whether there may be more
 */
const matchPayouts = async (db: Db, now: Date): Promise<boolean> => {
  const lines = await store.listSteps(db.pooled, { limit: BATCH })
  let matched = 0
  for (const line of lines) if (await matchLine(db, line, now)) matched += 1
  // A settled payout may have come back since.
  return matched > 0
}

/**
 * Matches lines of the bank with payouts, to merchants and of processors; then finds what has no counterpart. Replicas may
 * run it simultaneously.
 */
export const startPayoutMatching = ({
  db,
  clock,
  log,
}: Readonly<{ db: Db; clock: Pick<Clock, 'now'>; log: Logger }>): Loop =>
  startLoop({
    name: 'match-payouts',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    async run() {
      const isMore = await matchPayouts(db, clock.now())
      if ((await matchProcessorPayouts(db, clock.now())) || isMore) return true
      return findBankDifferences({ db, log }, clock.now())
    },
  })
