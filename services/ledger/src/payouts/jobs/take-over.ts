import {
  NotDoneError,
  startLoop,
  type KeylessServiceContext,
  type Loop,
  type ServiceClient,
  type Transaction,
} from '@causeway/chassis'
import { MAX_PAST_PAYOUTS, pastPayouts, type PastPayout } from '@causeway/contracts'
import * as store from '../announced-store.ts'
import { payOut } from '../pay-out.ts'
import { takeStep } from '../steps.ts'

const EVERY_MS = 60_000

/** Takes one payout over in the status that it has. @returns false while its merchant is not known here */
const takeOver = async (tx: Transaction, payout: PastPayout, now: Date): Promise<boolean> => {
  const { payout_id: payoutId, customer_id: merchantId, amount_cents: amountCents, currency: unit } = payout
  if ((await store.get(tx, { payoutId })) === null) {
    const owner = await store.getOwner(tx, { merchantId, partnerCustomerId: '' })
    const ownerId = owner?.ownerId ?? null
    if (ownerId === null) return false
    const wanted = { payoutId, ownerId, unit, amount: BigInt(amountCents), takesAdvance: true }
    await payOut(tx, wanted, now)
    await store.insert(tx, {
      ...{
        payoutId,
        merchantId,
        ownerId,
        amount: String(amountCents),
        unit,
        payoutWalletId: null,
        reference: null,
      },
      scheduledFor: new Date(payout.scheduled_for),
      createdAt: new Date(payout.created_at),
      runId: null,
      schedule: null,
    })
  }
  if (payout.sent_at !== null)
    await takeStep(tx, { payoutId, step: 'sent', at: new Date(payout.sent_at) }, now)
  return true
}

type Context = Pick<KeylessServiceContext, 'db' | 'clock' | 'log'> & Readonly<{ ask: ServiceClient }>

/**
 * Takes over payouts that payments announced before the ledger kept them, and what a replica of that version changes later.
 * Their events were sent by it. Repeated, it changes nothing.
 * @returns whether there may be more
 * @throws NotDoneError while payments is unavailable, or older than this version
 */
export const takeOverPayouts = async ({ db, clock, ask }: Context): Promise<boolean> => {
  const listed = await ask(pastPayouts.list, undefined)
  if (!listed.ok) throw new NotDoneError(`payments returned ${listed.code}`)
  const { payouts } = listed.value
  const taken: PastPayout[] = []
  for (const payout of payouts)
    if (await db.transaction((tx) => takeOver(tx, payout, clock.now()))) taken.push(payout)
  if (taken.length === 0) return false
  const confirmed = taken.map(({ payout_id, status }) => ({ payout_id, status }))
  const outcome = await ask(pastPayouts.confirm, { payouts: confirmed })
  if (!outcome.ok) throw new NotDoneError(`payments returned ${outcome.code}`)
  return payouts.length === MAX_PAST_PAYOUTS
}

export const startTakeOver = (context: Context): Loop =>
  startLoop({
    name: 'take-over-payouts',
    everyMs: EVERY_MS,
    restMs: 0,
    log: context.log,
    run: () => takeOverPayouts(context),
    isExpected: (error) => error instanceof NotDoneError,
  })
