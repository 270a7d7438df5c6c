import { metrics, NotDoneError, type Clock, type Db, type Logger } from '@causeway/chassis'
import type { RefundableOrder } from '@causeway/contracts'
import { refuseOverLimit, utcDayOf } from './daily-limit.ts'
import type { Ceiling } from './preconditions.ts'
import type { RefundRecord } from './refund.ts'
import type { CreateRequest } from './slot.ts'
import { markSent } from './store.ts'

const limitsReached = metrics.counter(
  'causeway_refund_limits_reached_total',
  'Refunds refused because their client had reached its daily refund limit',
)

type MarkSentDependencies = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  /** How long a call may take before the completion job claims its refund. */
  graceMs: number
  /** Daily limit per currency of a client without a separate limit; null: unlimited. */
  dailyLimitCents: number | null
}>

/**
 * Marks a validated refund `sent`, just before anything is sent, and counts it in its client's day: both or neither,
 * so that no number of keys and replicas passes the limit (docs/REFUNDS.md).
 */
export const createMarkSent = ({ db, clock, log, graceMs, dailyLimitCents }: MarkSentDependencies) => {
  return async (
    refund: RefundRecord,
    order: RefundableOrder,
    { maxCents, refundedCents }: Ceiling,
    caller: CreateRequest['caller'],
  ) => {
    const { partnerId, clientId, dailyRefundLimitCents: ownLimitCents } = caller
    const now = clock.now()
    const day = utcDayOf(now)
    const limitCents = ownLimitCents ?? dailyLimitCents
    // On a separate connection: no other statement waits behind one that waits for the day's row.
    const marked = await markSent(db.pooled, {
      partnerId: refund.partnerId,
      refundId: refund.id,
      partnerCustomerId: order.partner_customer_id,
      orderId: order.order_id,
      currency: order.currency,
      processor: order.processor,
      processorOrderId: order.processor_order_id,
      serviceFeePayer: order.service_fee_payer,
      maxRefundableCents: maxCents,
      refundedBeforeCents: refundedCents,
      dueAt: new Date(now.getTime() + graceMs),
      clientId,
      day,
      limitCents,
    })
    if (!marked) throw new NotDoneError('The refund has been withdrawn')
    if (marked.id !== null) return { ok: true, refund: marked } as const
    const { amountCents, orderKey } = refund
    const countedCents = marked.countedBeforeCents + amountCents
    const refusal = refuseOverLimit({ countedCents, amountCents, currency: order.currency, day }, limitCents)
    if (!refusal) throw new Error('A refund within its daily limit was not counted')
    limitsReached.inc()
    const fields = { event: 'refund.limit_reached', partnerId, client: clientId, orderKey }
    log.warn(fields, 'Client has reached its daily refund limit')
    return refusal
  }
}
export type MarkSent = ReturnType<typeof createMarkSent>
