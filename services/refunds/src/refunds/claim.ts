import { metrics, NotDoneError, type Clock, type Db, type Logger } from '@causeway/chassis'
import type { RefundableOrder } from '@causeway/contracts'
import type { Ceiling } from './ceiling.ts'
import { refuseOverLimit, utcDayOf } from './daily-limit.ts'
import type { RefundRecord } from './refund.ts'
import { count } from './client-days-store.ts'
import { markSent } from './store.ts'
import type { CreateRequest } from './slot.ts'

const limitsReached = metrics.counter(
  'causeway_refund_limits_reached_total',
  'Refunds refused because their client had reached what it may refund in a day',
)

type ClaimParts = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  /** How long a call may take before the reconciler looks at what it was doing. */
  graceMs: number
  /** What a client without a limit of its own may refund in a day and currency; null: any amount. */
  dailyLimitCents: number | null
}>

/**
 * Writes a judged refund down as `sent`, just before anything is, and counts it in its client's day: both or neither,
 * so that no number of keys and replicas passes the limit (docs/REFUNDS.md).
 */
export const createClaim = ({ db, clock, log, graceMs, dailyLimitCents }: ClaimParts) => {
  return async (
    refund: RefundRecord,
    order: RefundableOrder,
    { maxCents, refundedCents }: Ceiling,
    caller: CreateRequest['caller'],
  ) => {
    const { partnerId, clientId, dailyRefundLimitCents: ownLimitCents } = caller
    const now = clock.now()
    const day = utcDayOf(now)
    const whose = [refund.partnerId, refund.id, order.partner_customer_id, order.order_id, order.currency]
    const where = [order.processor, order.processor_order_id, order.service_fee_payer]
    const dueAt = new Date(now.getTime() + graceMs)
    const values = [...whose, ...where, maxCents, refundedCents, dueAt, clientId, day]
    const claimed = await db.transaction(async (tx) => {
      const [sent] = await tx.query(markSent, values)
      if (!sent) throw new NotDoneError('The refund was taken back in the meantime')
      const [sum] = await tx.query(count, [partnerId, clientId, sent.currency, day, sent.amountCents])
      if (!sum) throw new Error('A counted refund has no sum')
      const refusal = refuseOverLimit(sum.countedCents, sent.amountCents, ownLimitCents ?? dailyLimitCents)
      return refusal ?? ({ ok: true, refund: sent } as const)
    })
    if (!claimed.ok) {
      limitsReached.inc()
      const fields = { event: 'refund.limit_reached', partnerId, client: clientId, orderKey: refund.orderKey }
      log.warn(fields, 'A client has reached what it may refund in a day')
    }
    return claimed
  }
}
export type Claim = ReturnType<typeof createClaim>
