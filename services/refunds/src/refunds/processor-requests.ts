import type { Logger, Vault } from '@causeway/chassis'
import {
  effectOf,
  type CardEffect,
  type CardProcessor,
  type CardRefund,
  type RefundRequest,
} from '@causeway/rails/cards'
import { openDescription } from './descriptions.ts'
import type { ValidatedRefund } from './refund.ts'
import type { RefundTransitions } from './transitions.ts'

type RequestDependencies = Readonly<{
  log: Logger
  vault: Vault
  transitions: RefundTransitions
  processorOf: (key: string) => CardProcessor
}>

/** Result of sending a refund. `error` is null when the processor responded. */
export type SendResult = Readonly<{
  effect: CardEffect | 'answered'
  refund: ValidatedRefund
  error: unknown
}>

/** A refund that is pending at its processor counts as one without an answer: it is looked up again. */
const STATE_OF = { succeeded: 'succeeded', failed: 'failed', pending: 'unknown' } as const satisfies Record<
  CardRefund['status'],
  string
>

const requestOf = (refund: ValidatedRefund, description: string | null): RefundRequest => ({
  processorOrderId: refund.processorOrderId,
  refundId: refund.id,
  amountCents: refund.amountCents,
  description,
  orderLines:
    refund.orderLines?.map((line) => ({
      merchantOrderLineId: line.merchant_order_line_id,
      quantity: line.quantity,
    })) ?? null,
})

/** Creates the requests to a processor about one refund; each response is stored as a transition. */
export const createProcessorRequests = ({ log, vault, transitions, processorOf }: RequestDependencies) => {
  /** Sends the refund. Its own id is the processor's idempotency key: sent twice, it is one refund. */
  const send = async (refund: ValidatedRefund): Promise<SendResult> => {
    try {
      const made = await processorOf(refund.processor).refund(
        requestOf(refund, openDescription(vault, refund)),
      )
      const moved = await transitions.move(refund, STATE_OF[made.status], made.processorRefundId)
      return { effect: 'answered', refund: moved, error: null }
    } catch (error) {
      const effect = effectOf(error)
      log.warn(
        { event: 'refund.not_confirmed', error, refundId: refund.id, effect },
        'Card processor did not confirm a refund',
      )
      if (effect === 'not_sent') return { effect, refund, error }
      const state = effect === 'refused' ? 'failed' : 'unknown'
      return { effect, refund: await transitions.move(refund, state), error }
    }
  }

  /** The refund moved to what the processor's list says of it; null when the list does not have it. */
  const lookUp = async (refund: ValidatedRefund): Promise<ValidatedRefund | null> => {
    const listed = await processorOf(refund.processor).listRefunds(refund.processorOrderId)
    const made = listed.find(({ refundId }) => refundId === refund.id)
    return made ? transitions.move(refund, STATE_OF[made.status], made.processorRefundId) : null
  }

  return {
    send,

    /** After the processor answered 5xx: the refund failed, unless the processor's list has it all the same. */
    confirmFailure: async (refund: ValidatedRefund): Promise<ValidatedRefund> =>
      (await lookUp(refund)) ?? (await transitions.fail(refund)) ?? refund,

    /**
     * Resolves a refund without an answer: looks it up, and sends it again under the same id where the processor does
     * not list it. A list without it proves nothing, because the first request may still be in flight.
     */
    resolve: async (refund: ValidatedRefund): Promise<ValidatedRefund> =>
      (await lookUp(refund)) ?? (await send(refund)).refund,
  }
}
export type ProcessorRequests = ReturnType<typeof createProcessorRequests>
