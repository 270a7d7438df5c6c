import { refuse, type Db, type Transaction } from '@causeway/chassis'
import type { SkipReason } from '@causeway/contracts'
import { lockDestination, presentSchedule } from '../payout-schedule/schedule.ts'
import { get as getSchedule } from '../payout-schedule/store.ts'
import type { FeeOf } from '../payouts/fees.ts'
import { payBalance, type PaidBalance, type SkippedBalance } from '../payouts/pay-balance.ts'
import { readSummary } from '../payouts/summary.ts'
import { postBatch } from '../posting/post-facts.ts'
import * as store from './store.ts'

/** `runId`: null for a dry run. `isNamed`: staff named the relationship. */
export type RunTerms = Readonly<{ runId: string | null; cutOff: Date; isNamed: boolean; feeOf: FeeOf }>
export type RunOutcome = Readonly<{ balance: store.BalanceRow; result: PaidBalance | SkippedBalance }>

type Standing = Pick<store.BalanceRow, 'status' | 'held' | 'interval'>

/** Returns why a balance is not looked at; null where it is. */
const reasonToSkip = ({ status, held, interval }: Standing, isNamed: boolean): SkipReason | null => {
  if (status !== 'active' || held) return 'on_hold'
  return !isNamed && (interval ?? 'manual') === 'manual' ? 'manual' : null
}

/** Returns the payout that this run has made of a balance before it was interrupted. */
const findPaid = async (
  tx: Transaction,
  { ownerId, unit }: store.BalanceRow,
  runId: string,
  now: Date,
): Promise<PaidBalance | null> => {
  // Nobody else pays before this transaction ends.
  await postBatch(tx, { postings: [] }, now)
  const row = await store.getOfRun(tx, { runId, ownerId, unit })
  return row && { row, summary: await readSummary(tx, row) }
}

/**
 * Pays a balance to the destination that the relationship's schedule names, once in a run. Relationship and destination are
 * locked before the journal's end, as everywhere: a schedule that is changed meanwhile waits, or is followed.
 */
const pay = async (
  tx: Transaction,
  balance: store.BalanceRow,
  { runId, cutOff, isNamed, feeOf }: RunTerms,
  now: Date,
): Promise<PaidBalance | SkippedBalance> => {
  const { ownerId, merchantId, unit } = balance
  const owner = await store.lockOwner(tx, { ownerId })
  if (owner === null) throw new Error(`${ownerId} is not known`)
  const schedule = await getSchedule(tx, { partnerCustomerId: ownerId, unit })
  const isUsable = await lockDestination(tx, ownerId, schedule?.payoutWalletId ?? null)
  const paid = runId === null ? null : await findPaid(tx, balance, runId, now)
  if (paid !== null) return paid
  const held = reasonToSkip({ ...owner, interval: schedule?.interval ?? null }, isNamed)
  const reason = held ?? (isUsable ? null : 'no_destination')
  if (reason !== null) return { available: BigInt(balance.available), reason }
  const wanted = {
    ...{ ownerId, merchantId, unit, cutOff, runId },
    minimum: BigInt(schedule?.minimum ?? 0),
    fee: feeOf(balance),
    schedule: schedule && presentSchedule(schedule),
  }
  return payBalance(tx, wanted, now)
}

/** Finds what would be paid by paying it in a transaction that is undone. */
const preview = async (
  db: Db,
  balance: store.BalanceRow,
  terms: RunTerms,
  now: Date,
): Promise<PaidBalance | SkippedBalance> => {
  let result: PaidBalance | SkippedBalance | undefined
  await db.transaction(async (tx) => {
    result = await pay(tx, balance, terms, now)
    return refuse('invalid_state')
  })
  if (result === undefined) throw new Error('A preview has no result')
  return result
}

/** Pays balances one after another, each in its own transaction: what is paid stays paid if a later one fails. */
export const payBalances = async (
  db: Db,
  balances: readonly store.BalanceRow[],
  terms: RunTerms,
  now: Date,
): Promise<RunOutcome[]> => {
  const outcomes: RunOutcome[] = []
  for (const balance of balances) {
    const reason = reasonToSkip(balance, terms.isNamed)
    const result =
      reason !== null
        ? { available: BigInt(balance.available), reason }
        : terms.runId === null
          ? await preview(db, balance, terms, now)
          : await db.transaction((tx) => pay(tx, balance, terms, now))
    outcomes.push({ balance, result })
  }
  return outcomes
}
