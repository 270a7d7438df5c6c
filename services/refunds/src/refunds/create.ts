import { afterCallOutside, NotDoneError, refuse, type ServiceContext } from '@causeway/chassis'
import { RailError } from '@causeway/rails'
import type { Payments } from '../clients/payments.ts'
import { createConclusion, toAnswerOf, type ToAnswer } from './conclude.ts'
import type { ProcessorRequests } from './processor-requests.ts'
import { ValidatedRefund, type RefundRecord } from './refund.ts'
import { createSlotClaim, type CreateRequest, type SlotClaim } from './slot.ts'
import { nextStepOf } from './state.ts'
import type { RefundTransitions } from './transitions.ts'
import type { Validation } from './validation.ts'

export type CreationDependencies = Readonly<{
  validate: Validation
  transitions: RefundTransitions
  requests: ProcessorRequests
  payments: Pick<Payments, 'getOrder'>
  /** Longer than a call may take: after it the refund of a call that died is completed or withdrawn. */
  graceMs: number
  /** Has the completion job run now. */
  wakeCompletion: () => void
}>

/** The processor answered 5xx: its list tells whether it has made the refund. */
const isProcessorFailure = (error: unknown): boolean =>
  error instanceof RailError && error.failure === 'unavailable'

/**
 * `refunds.refunds.create` and `create-by-staff`: claims the key and the order's one slot together, then validates the refund, sends it and
 * has payments record it (docs/REFUNDS.md). A second key waits for the slot.
 */
export const createRefundCreation = (context: ServiceContext, dependencies: CreationDependencies) => {
  const { validate, transitions, requests, payments, graceMs, wakeCompletion } = dependencies
  const slot = createSlotClaim(context, { graceMs, wakeCompletion })
  const { conclude, concludeAfter } = createConclusion(context, transitions)

  /** Validates and sends a refund of which nothing was sent yet. What is refused before that releases the key. */
  const carryOut = async (refund: RefundRecord, request: CreateRequest, toAnswer: ToAnswer) => {
    let validated
    try {
      const validation = await validate(refund, request)
      if (!validation.ok) {
        await transitions.withdraw(refund, 'requested')
        return validation
      }
      validated = validation.refund
    } catch (error) {
      await transitions.withdraw(refund, 'requested')
      throw error
    }
    const toSend = validated
    const sent = await afterCallOutside(() => requests.send(toSend))
    if (sent.effect === 'not_sent') {
      // One that cannot be withdrawn is sent by the completion job.
      if (await afterCallOutside(() => transitions.withdraw(toSend, 'sent')))
        throw new NotDoneError('The processor cannot be reached', { cause: sent.error })
      throw new Error('Another worker has claimed the refund')
    }
    const failed = isProcessorFailure(sent.error)
    const concluded = await afterCallOutside(() =>
      failed ? concludeAfter(sent.refund, requests.confirmFailure) : conclude(sent.refund),
    )
    return toAnswer(concluded)
  }

  const isHidden = async ({ caller, params, isByStaff }: CreateRequest): Promise<boolean> =>
    (await payments.getOrder(caller.partnerId, params.orderKey, isByStaff)) === null

  const carryOn = async (request: CreateRequest, claim: Exclude<SlotClaim, { kind: 'answered' }>) => {
    const refund =
      claim.kind === 'taken-over'
        ? await transitions.claim(request.caller.partnerId, claim.recorded)
        : claim.refund
    if (!refund) throw new NotDoneError('The refund has been withdrawn')
    const toAnswer = toAnswerOf(claim)
    const step = nextStepOf(refund.state)
    if (step === 'validate') return carryOut(refund, request, toAnswer)
    const unresolved = step === 'resolve' ? ValidatedRefund.parse(refund) : null
    return toAnswer(await (unresolved ? concludeAfter(unresolved, requests.resolve) : conclude(refund)))
  }

  return async (request: CreateRequest) => {
    const claim = await slot.claim(request)
    // Validation checks the first call's view of the order; a replay is answered only to who still sees the order.
    if (claim.kind !== 'claimed' && (await isHidden(request))) return refuse('resource_not_found')
    if (claim.kind === 'answered') return claim.outcome
    try {
      return await carryOn(request, claim)
    } finally {
      slot.released(request)
    }
  }
}
