import { lastModified, verifications, type ErrorDetail, type KybWrite } from '@causeway/contracts'
import type { Answer } from '../screen.ts'
import { goTo, refusedAnswer } from './frame.ts'
import type { OnboardingRequest } from './request.ts'
import { isOpen, MODIFIED, type FormAnswer, type OnboardingState } from './state.ts'

/** What became of a write. `refused`: nothing of it was stored, because of these fields. */
export type Saved =
  | Readonly<{ kind: 'saved' }>
  | Readonly<{ kind: 'refused'; details: readonly ErrorDetail[] }>
  | Readonly<{ kind: 'answer'; answer: FormAnswer }>

/**
 * Stores a part of the data without submitting it: every write attempts submission (decisions §7), and the merchant
 * submits on the last page alone. What is changed has to be confirmed again, so the consent goes with the change, and
 * without it no case is submitted. In a case under review nothing is submitted, and the consent stays.
 *
 * The write was merged into the state: where that has changed meanwhile, on whatever device and by whatever replica,
 * nothing is stored, and the form is merged anew.
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
    answer: reply.code === 'invalid_state' ? closedAnswer(request) : refusedAnswer(reply.code),
  }
}

/** Whether a write was refused because it was made of a state that has changed. */
export const isModified = ({ details = [] }: Readonly<{ details?: readonly ErrorDetail[] }>): boolean =>
  details.some(({ reason }) => reason === 'modified')

/** Says that the case takes no changes any more: it was sent in the meantime. */
export const closedAnswer = (request: OnboardingRequest): Answer => goTo(request, '?news=closed')
