import { metrics, NotDoneError, type Clock, type Db, type Logger } from '@causeway/chassis'
import type { RefundableOrder } from '@causeway/contracts'
import { countInDay } from './client-days-store.ts'
import { refuseOverLimit, utcDayOf } from './daily-limit.ts'
import type { Ceiling } from './preconditions.ts'
import type { RefundRecord } from './refund.ts'
import type { CreateRequest } from './slot.ts'
import { markSent } from './store.ts'

const limitsReached = metrics.counter(
  'causeway_refund_limits_reached_total',
  'Refunds refused because their client had reached what it may refund in a day',
)

type MarkSentDependencies = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  /** How long a call may take before the completion job claims its refund. */
  graceMs: number
  /** What a client without a limit of its own may refund in a day and currency; null: any amount. */
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
    const marked = await db.transaction(async (tx) => {
      const sent = await markSent(tx, {
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
      })
      if (!sent) throw new NotDoneError('The refund was withdrawn in the meantime')
      const { currency, amountCents } = sent
      const sum = await countInDay(tx, { partnerId, clientId, currency, day, amountCents })
      if (!sum) throw new Error('Counting a refund in its day returned no sum')
      const refusal = refuseOverLimit(
        { countedCents: sum.countedCents, amountCents, currency, day },
        ownLimitCents ?? dailyLimitCents,
      )
      return refusal ?? ({ ok: true, refund: sent } as const)
    })
    if (!marked.ok) {
      limitsReached.inc()
      const fields = { event: 'refund.limit_reached', partnerId, client: clientId, orderKey: refund.orderKey }
      log.warn(fields, 'Client has reached its daily refund limit')
    }
    return marked
  }
}
export type MarkSent = ReturnType<typeof createMarkSent>
