import { lastModified, verifications, type ErrorDetail, type KybWrite } from '@causeway/contracts'
import type { Answer } from '../screen.ts'
import { goTo, refusedAnswer } from './frame.ts'
import type { OnboardingRequest } from './request.ts'
import { isOpen, MODIFIED, type FormAnswer, type OnboardingState } from './state.ts'

/** The result of a write. `refused`: nothing was stored, because of the fields in `details`. */
export type Saved =
  | Readonly<{ kind: 'saved' }>
  | Readonly<{ kind: 'refused'; details: readonly ErrorDetail[] }>
  | Readonly<{ kind: 'answer'; answer: FormAnswer }>

/**
 * Saves part of the data without submitting the case. Every write attempts submission (decisions §7), but the merchant
 * submits only on the last page. So each change also removes the consent, without which no case is submitted. In a case
 * under review nothing is submitted, and the consent stays.
 *
 * The write was merged into `state`. If the stored data has changed since, nothing is stored and the form is merged
 * again.
 */
export const saveDraft = async (
  request: OnboardingRequest,
  state: OnboardingState,
  write: KybWrite,
): Promise<Saved> => {
  const { ask, link } = request
  const body: KybWrite = isOpen(state) ? { ...write, consent: { version: null } } : write
  const query = { unmodified_since: lastModified(state.verification) }
  const reply = await ask(verifications.submit, { params: { customerId: link.customerId }, query, body })
  if (reply.ok) return { kind: 'saved' }
  if (reply.code === 'validation_failed') return { kind: 'refused', details: reply.details ?? [] }
  if (isModified(reply)) return { kind: 'answer', answer: MODIFIED }
  return {
    kind: 'answer',
    answer: reply.code === 'invalid_state' ? closedAnswer(request) : refusedAnswer(reply.code, request),
  }
}

/** True if a write was refused because the stored data had changed. */
export const isModified = ({ details = [] }: Readonly<{ details?: readonly ErrorDetail[] }>): boolean =>
  details.some(({ reason }) => reason === 'modified')

/** Redirects to the overview with the notice that the case can no longer be changed. */
export const closedAnswer = (request: OnboardingRequest): Answer => goTo(request, '?news=closed')
