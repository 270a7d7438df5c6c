import { NotDoneError, refuse, type Clock } from '@causeway/chassis'
import { RailError } from '@causeway/rails'
import type { CardProcessor } from '@causeway/rails/cards'
import type { Payments } from '../clients/payments.ts'
import type { MarkSent } from './mark-sent.ts'
import {
  ceilingOf,
  refuseAmount,
  refuseInvisible,
  refuseState,
  refuseUnpaid,
  refuseUnsupported,
} from './preconditions.ts'
import type { RefundRecord } from './refund.ts'
import type { CreateRequest } from './slot.ts'

export type ValidationDependencies = Readonly<{
  clock: Clock
  payments: Pick<Payments, 'getOrder'>
  processorOf: (key: string) => CardProcessor
  markSent: MarkSent
}>

/** Reads the payment at the processor. A read has no effect (decisions §11), so after a failure nothing was done. */
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
 * Validates a refund that holds its order's slot, against the order at payments and the payment at its processor, in
 * the order of decisions §11. Marks a valid refund as `sent` directly before the processor receives it.
 */
export const createValidation = ({ clock, payments, processorOf, markSent }: ValidationDependencies) => {
  return async (
    refund: RefundRecord,
    { caller, deadlineMs, isByStaff }: Pick<CreateRequest, 'caller' | 'deadlineMs' | 'isByStaff'>,
  ) => {
    const order = await payments.getOrder(refund.partnerId, refund.orderKey, isByStaff)
    const invisible = refuseInvisible(order)
    if (invisible || order === null) return invisible ?? refuse('resource_not_found')
    const processor = processorOf(order.processor)
    const requested = { amountCents: refund.amountCents, hasOrderLines: refund.orderLines !== null }
    const unfit = refuseUnsupported(requested, order, processor.traits) ?? refuseState(order)
    if (unfit) return unfit
    const read = await readPayment(processor, order.processor_order_id)
    if (!read.ok) return read
    const ceiling = ceilingOf(order, read.payment.refundedCents)
    const refusal = refuseUnpaid(read.payment) ?? refuseAmount(requested, ceiling, processor.traits)
    if (refusal) return refusal
    if (clock.outsideMs() >= deadlineMs) throw new NotDoneError('The caller no longer waits for the answer')
    return markSent(refund, order, ceiling, caller)
  }
}
export type Validation = ReturnType<typeof createValidation>
