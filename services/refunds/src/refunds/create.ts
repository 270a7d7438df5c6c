import {
  asReplay,
  lapseStep,
  NotDoneError,
  refuse,
  reply,
  type Begun,
  type ServiceContext,
  type Outcome,
} from '@causeway/chassis'
import type { RefundAnswer } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import type { Payments } from '../clients/payments.ts'
import { nextStepOf } from './state.ts'
import { answerOf, ValidatedRefund, type RefundRecord } from './refund.ts'
import type { Validation } from './validation.ts'
import { createSlotClaim, type CreateRequest } from './slot.ts'
import { keyOf, type RefundTransitions } from './transitions.ts'

export type CreationDependencies = Readonly<{
  validate: Validation
  transitions: RefundTransitions
  payments: Pick<Payments, 'read'>
  /** Longer than a call may take: after it the refund of a call that died is taken over or taken back. */
  graceMs: number
  /** Asks the reconciler to look now. */
  onBusy: () => void
}>

type Concluded = Outcome<RefundAnswer, 'provider_error' | 'internal_error'>
type AsAnswer = (outcome: Concluded) => Concluded

/**
 * An outcome as the answer of its key. What a dead or unanswered call began is that call's answer, whoever finishes
 * it: every call that is told it gets the same bytes. An unknown outcome answers nothing, and a processor's no is not
 * stored as the answer, for the refund may be made after all.
 */
const answerOfKey =
  (begun: Begun<RefundAnswer, never>): AsAnswer =>
  (outcome) => {
    const isTold = outcome.ok || outcome.code === 'provider_error'
    return isTold && begun.kind === 'resume' ? asReplay(outcome, begun.requestId) : outcome
  }

/**
 * `refunds.refunds.create`: the key and the order's one place are taken together, then the refund is judged, sent and
 * booked (docs/REFUNDS.md). A second key waits for the place.
 */
export const createRefundCreation = (context: ServiceContext, dependencies: CreationDependencies) => {
  const { clock, db, log } = context
  const { validate, transitions, payments, graceMs, onBusy } = dependencies

  const claimSlot = createSlotClaim(context, { graceMs, onBusy })

  /** Judges and sends a refund of which nothing was sent yet. What is refused before that gives the key back. */
  const carryOut = async (refund: RefundRecord, request: CreateRequest, asAnswer: AsAnswer) => {
    let sent
    try {
      const judged = await validate(refund, request)
      if (!judged.ok) {
        await transitions.withdraw(refund, 'requested')
        return judged
      }
      sent = judged.refund
    } catch (error) {
      await transitions.withdraw(refund, 'requested')
      throw error
    }
    const asked = await transitions.ask(sent)
    if (asked.effect === 'not_sent') {
      if (await transitions.withdraw(sent, 'sent'))
        throw new NotDoneError('The processor cannot be reached', { cause: asked.error })
      throw new Error('The refund has moved on in the meantime')
    }
    const failed = saidItFailed(asked.error)
    return asAnswer(
      await (failed ? concludeBy(asked.refund, transitions.confirmFailure) : conclude(asked.refund)),
    )
  }

  /** The money is back whatever payments says now: where it says nothing, the reconciler goes on trying. */
  const book = async (refund: ValidatedRefund): Promise<void> => {
    try {
      await transitions.book(refund)
    } catch (error) {
      log.warn({ error, refundId: refund.id }, 'A refund could not be booked yet')
      await lapseStep(db, keyOf(refund), clock.now())
    }
  }

  /** The answer to a refund that was sent, once what can be done now is done. */
  const conclude = async (refund: RefundRecord) => {
    const known = ValidatedRefund.parse(refund)
    if (known.state === 'reconciled') return reply(answerOf(known))
    if (known.state === 'succeeded') {
      await book(known)
      return reply(answerOf(known))
    }
    await lapseStep(db, keyOf(known), clock.now())
    return known.state === 'failed' ? refuse('provider_error') : refuse('internal_error')
  }

  /** Concludes with what the processor tells; where it tells nothing, with what is known. */
  const concludeBy = async (
    refund: ValidatedRefund,
    tell: (refund: ValidatedRefund) => Promise<ValidatedRefund>,
  ) => {
    try {
      return await conclude(await tell(refund))
    } catch (error) {
      if (!(error instanceof RailError)) throw error
      log.warn({ error, refundId: refund.id }, 'A processor does not tell what became of a refund')
      return conclude(refund)
    }
  }

  const isHidden = async ({ caller, params }: CreateRequest): Promise<boolean> =>
    (await payments.read(caller.partnerId, params.orderKey)) === null

  return async (request: CreateRequest) => {
    const begun = await claimSlot(request)
    // The first call is judged by what it refunds; an answer is repeated to one who still sees the order alone.
    if (begun.kind !== 'first' && (await isHidden(request))) return refuse('resource_not_found')
    if (begun.kind === 'settled') return begun.outcome
    const find = begun.kind === 'resume' ? transitions.claim : transitions.find
    const refund = await find(request.caller.partnerId, begun.recorded)
    if (!refund) throw new NotDoneError('The refund was taken back in the meantime')
    const asAnswer = answerOfKey(begun)
    const step = nextStepOf(refund.state)
    if (step === 'validate') return carryOut(refund, request, asAnswer)
    const known = step === 'find_out' ? ValidatedRefund.parse(refund) : null
    return asAnswer(await (known ? concludeBy(known, transitions.findOut) : conclude(refund)))
  }
}

const saidItFailed = (error: unknown): boolean =>
  error instanceof RailError && error.failure === 'unavailable'
