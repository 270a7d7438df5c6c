import {
  asReplay,
  expireLease,
  refuse,
  reply,
  type Claim,
  type Outcome,
  type ServiceContext,
} from '@causeway/chassis'
import type { RefundAnswer } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import { answerOf, ValidatedRefund, type RefundRecord } from './refund.ts'
import { keyOf, type RefundTransitions } from './transitions.ts'

type Concluded = Outcome<RefundAnswer, 'provider_error' | 'internal_error'>
export type ToAnswer = (outcome: Concluded) => Concluded

/**
 * How an outcome is answered. Where the call resumes one that died or got no answer, the outcome is the answer of that
 * first call, so that every call that receives it gets the same bytes. An unknown outcome (500) has no such answer.
 */
export const toAnswerOf =
  (claim: Claim<RefundAnswer, never>): ToAnswer =>
  (outcome) => {
    const isKnown = outcome.ok || outcome.code === 'provider_error'
    return isKnown && claim.kind === 'taken-over' ? asReplay(outcome, claim.requestId) : outcome
  }

/** Does what can be done now for a refund that was sent, and gives the outcome of its call. */
export const createConclusion = (
  { clock, db, log }: Pick<ServiceContext, 'clock' | 'db' | 'log'>,
  transitions: Pick<RefundTransitions, 'recordAtOrder'>,
) => {
  /** The money is back whether or not payments can be reached: the completion job retries where it cannot. */
  const recordAtOrder = async (refund: ValidatedRefund): Promise<void> => {
    try {
      await transitions.recordAtOrder(refund)
    } catch (error) {
      log.warn(
        { event: 'refund.not_recorded', error, refundId: refund.id },
        'A refund was made but is not recorded at its order yet',
      )
      await expireLease(db, keyOf(refund), clock.now())
    }
  }

  /**
   * The outcome of a refund in its present state. A processor's refusal is answered, and not stored as the key's answer:
   * the refund may still succeed late.
   */
  const conclude = async (refund: RefundRecord): Promise<Concluded> => {
    const sent = ValidatedRefund.parse(refund)
    if (sent.state === 'reconciled') return reply(answerOf(sent))
    if (sent.state === 'succeeded') {
      await recordAtOrder(sent)
      return reply(answerOf(sent))
    }
    await expireLease(db, keyOf(sent), clock.now())
    return sent.state === 'failed' ? refuse('provider_error') : refuse('internal_error')
  }

  return {
    conclude,

    /** The outcome after a request to the processor; where the processor fails, that of the state before. */
    concludeAfter: async (
      refund: ValidatedRefund,
      request: (refund: ValidatedRefund) => Promise<ValidatedRefund>,
    ): Promise<Concluded> => {
      try {
        return await conclude(await request(refund))
      } catch (error) {
        if (!(error instanceof RailError)) throw error
        log.warn(
          { event: 'refund.outcome_unknown', error, refundId: refund.id },
          'The card processor does not tell whether a refund was made',
        )
        return conclude(refund)
      }
    },
  }
}
