import { NotDoneError, refuse, type Clock } from '@causeway/chassis'
import { RailError, type CardProcessor } from '@causeway/rails'
import type { Payments } from '../clients/payments.ts'
import { ceilingOf } from './ceiling.ts'
import {
  refuseAmount,
  refuseInvisible,
  refuseState,
  refuseUnpaid,
  refuseUnsupported,
} from './preconditions.ts'
import type { RefundRecord } from './refund.ts'
import type { Claim } from './claim.ts'
import type { CreateRequest } from './slot.ts'

export type ValidationDependencies = Readonly<{
  clock: Clock
  payments: Payments
  processorOf: (key: string) => CardProcessor
  claim: Claim
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
 * it, in the order of decisions §11. A good one is claimed last, just before anything is sent.
 */
export const createValidation = (parts: ValidationDependencies) => {
  const { clock, payments, processorOf, claim } = parts

  return async (
    refund: RefundRecord,
    { caller, deadlineMs }: Pick<CreateRequest, 'caller' | 'deadlineMs'>,
  ) => {
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
    return claim(refund, order, ceiling, caller)
  }
}
export type Validation = ReturnType<typeof createValidation>
