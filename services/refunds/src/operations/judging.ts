import { NotDoneError, refuse, type Clock, type Db } from '@causeway/chassis'
import { RailError, type CardPayment, type CardProcessor } from '@causeway/rails'
import type { Payments } from '../clients/payments.ts'
import { ceilingOf } from '../domain/ceiling.ts'
import {
  refuseAmount,
  refuseInvisible,
  refuseState,
  refuseUnpaid,
  refuseUnsupported,
} from '../domain/preconditions.ts'
import type { JudgedRefund, RefundRecord } from '../domain/refund.ts'
import * as store from '../store/refunds.ts'

export type JudgingParts = Readonly<{
  db: Db
  clock: Clock
  payments: Payments
  processorOf: (key: string) => CardProcessor
  /** How long a call may take before the reconciler looks at what it was doing. */
  graceMs: number
}>

/** Reading is not sending (decisions §11): whatever goes wrong here, nothing was done. */
const readPayment = async (processor: CardProcessor, processorOrderId: string) => {
  try {
    return { ok: true, payment: await processor.readPayment(processorOrderId) } as const
  } catch (error) {
    if (!(error instanceof RailError)) throw error
    if (error.retryable) throw new NotDoneError('The processor cannot be read', { cause: error })
    return refuse('provider_error')
  }
}

/**
 * Judges a refund that holds its order's place: by the order as payments has it and the payment as its processor has
 * it, in the order of api.md. A good one is written down as `sent`, just before anything is.
 */
export const createJudging = (parts: JudgingParts) => {
  const { db, clock, payments, processorOf, graceMs } = parts

  const markSent = async (
    refund: RefundRecord,
    order: NonNullable<Awaited<ReturnType<Payments['read']>>>,
    payment: Pick<CardPayment, 'refundedCents'>,
  ): Promise<JudgedRefund> => {
    const { maxCents, refundedCents } = ceilingOf(order, payment.refundedCents)
    const whose = [refund.partnerId, refund.id, order.partner_customer_id, order.order_id, order.currency]
    const where = [order.processor, order.processor_order_id, order.service_fee_payer]
    const dueAt = new Date(clock.nowMs() + graceMs)
    const values = [...whose, ...where, maxCents, refundedCents, dueAt]
    const [sent] = await db.query(store.markSent, values)
    if (!sent) throw new NotDoneError('The refund was taken back in the meantime')
    return sent
  }

  return async (refund: RefundRecord, deadlineMs: number) => {
    const order = await payments.read(refund.partnerId, refund.orderKey)
    const invisible = refuseInvisible(order)
    if (invisible || order === null) return invisible ?? refuse('resource_not_found')
    const processor = processorOf(order.processor)
    const wish = { amountCents: refund.amountCents, hasOrderLines: refund.orderLines !== null }
    const unfit = refuseUnsupported(wish, processor.traits) ?? refuseState(order)
    if (unfit) return unfit
    const read = await readPayment(processor, order.processor_order_id)
    if (!read.ok) return read
    const ceiling = ceilingOf(order, read.payment.refundedCents)
    const refusal = refuseUnpaid(read.payment) ?? refuseAmount(wish, ceiling, processor.traits)
    if (refusal) return refusal
    if (clock.outsideMs() >= deadlineMs) throw new NotDoneError('The caller does not wait any more')
    return { ok: true, refund: await markSent(refund, order, read.payment) } as const
  }
}
export type Judging = ReturnType<typeof createJudging>
