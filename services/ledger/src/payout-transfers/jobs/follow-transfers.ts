import {
  NotDoneError,
  startLoop,
  type KeylessServiceContext,
  type Loop,
  type ServiceClient,
  type Transaction,
} from '@causeway/chassis'
import { signerPayouts, type PayoutTransferStatus, type SignerPayout } from '@causeway/contracts'
import type { PayoutRow } from '../../payouts/announced-store.ts'
import type { PayoutEventName } from '../../payouts/events.ts'
import { emitPayout, takeStep, type StepOfPayout } from '../../payouts/steps.ts'
import { partsOfUnit } from '../../posting/amounts.ts'
import * as store from '../store.ts'
import { transferOf } from '../transfer.ts'

const EVERY_MS = 2_000
/** Time until a request that the signer refuses for now is repeated. */
const REFUSED_MS = 10_000
const BATCH = 100

type Context = Pick<KeylessServiceContext, 'db' | 'clock' | 'log'> & Readonly<{ ask: ServiceClient }>

const EVENTS = {
  sent: 'payout.sent',
  settled: 'payout.settled',
  returned: 'payout.returned',
} as const satisfies Record<string, PayoutEventName>

type OwnStep = Omit<StepOfPayout, 'step'> & Readonly<{ step: keyof typeof EVENTS }>

/** Takes a step that the signer has done, with its event. A payout that has taken it already stays as it is. */
const take = async (tx: Transaction, wanted: OwnStep): Promise<void> => {
  const stepped = await takeStep(tx, { ...wanted, isOfSigner: true }, wanted.at)
  if (stepped?.row) await emitPayout(tx, EVENTS[wanted.step], stepped.row, wanted.at)
}

const treasuryOf = (unit: string): string => {
  const parts = partsOfUnit(unit)
  return 'network' in parts ? `chain:${parts.network}:treasury` : ''
}

/** Stores the signer's progress with a payout, and takes the payout as far. */
const follow = async (tx: Transaction, row: PayoutRow, payout: SignerPayout, now: Date): Promise<void> => {
  const { payoutId, unit } = row
  const { status, tx_id, reason: problem } = payout
  const step = { payoutId, at: now, ...(tx_id !== null && { txId: tx_id }) }
  const set = (to: PayoutTransferStatus, afterMs: number | null) =>
    store.setProgress(tx, {
      ...{ payoutId, status: to, problem },
      dueAt: afterMs === null ? null : new Date(now.getTime() + afterMs),
    })
  switch (status) {
    case 'requested':
    case 'signed':
      return set('requested', EVERY_MS)
    case 'broadcast':
      await take(tx, { ...step, step: 'sent' })
      return set('broadcast', EVERY_MS)
    case 'confirmed':
      await take(tx, { ...step, step: 'sent' })
      await take(tx, { ...step, step: 'settled', counterpart: treasuryOf(unit) })
      return set('confirmed', null)
    case 'failed':
      // One that was never sent stays `upcoming`: staff cancel it, or pay it by hand.
      if (row.status === 'sent')
        await take(tx, {
          ...{ payoutId, at: now, step: 'returned' },
          returnReason: `The transfer failed on the network (${problem ?? 'unknown'})`,
        })
      return set('failed', null)
  }
}

/**
 * Asks the signer about payouts that staff had it send, and takes them as far as it is.
 * @returns whether there may be more
 * @throws NotDoneError while the signer is unavailable
 */
export const followTransfers = async ({ db, clock, ask }: Context): Promise<boolean> => {
  const due = await store.listDue(db.pooled, { now: clock.now(), limit: BATCH })
  for (const row of due) {
    const transfer = transferOf(row)
    if (transfer === null) throw new Error(`Payout ${row.payoutId} has no address`)
    const answer = await ask(signerPayouts.create, { ...transfer, payout_id: row.payoutId })
    const now = clock.now()
    if (answer.ok) {
      await db.transaction((tx) => follow(tx, row, answer.value.payout, now))
      continue
    }
    if (answer.code === 'temporarily_unavailable' || answer.code === 'internal_error')
      throw new NotDoneError(`the signer returned ${answer.code}`)
    const reason = answer.details?.[0]?.['reason']
    await store.setProgress(db, {
      payoutId: row.payoutId,
      status: row.transferStatus ?? 'requested',
      problem: typeof reason === 'string' ? reason : answer.code,
      dueAt: new Date(now.getTime() + REFUSED_MS),
    })
  }
  return due.length === BATCH
}

export const startTransfers = (context: Context): Loop =>
  startLoop({
    name: 'payout-transfers',
    everyMs: EVERY_MS,
    restMs: 0,
    log: context.log,
    run: () => followTransfers(context),
    isExpected: (error) => error instanceof NotDoneError,
  })
