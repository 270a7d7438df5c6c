import {
  agreements,
  documents,
  nextSteps,
  requirements,
  verifications,
  type Agreement,
  type Document,
  type ErrorCode,
  type NextStep,
  type Requirement,
  type Verification,
} from '@causeway/contracts'
import type { Answer } from '../screen.ts'
import { refusedAnswer } from './frame.ts'
import type { OnboardingRequest } from './request.ts'

/** The data of a customer that the pages show; its partner can read the same data. */
export type OnboardingState = Readonly<{
  /** Null before the first write. */
  verification: Verification | null
  steps: readonly NextStep[]
  /** Oldest first. */
  documents: readonly Document[]
  agreements: readonly Agreement[]
  /** Open requirements, and answered ones whose answer is under review. */
  requirements: readonly Requirement[]
}>

type Read<T> = Readonly<{ ok: true; value: T }> | Readonly<{ ok: false; code: ErrorCode }>
type Page<T> = Readonly<{ items: readonly T[]; next: string | null }>

/** Enough for every list: a customer has at most 500 documents (decisions §18). */
const MAX_PAGES = 20

/** Reads all pages of a list. @param read reads one page from a cursor */
const readPages = async <T>(
  read: (cursor: string | undefined) => Promise<Read<Page<T>>>,
): Promise<Read<T[]>> => {
  const items: T[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await read(cursor)
    if (!page.ok) return page
    items.push(...page.value.items)
    if (page.value.next === null) break
    cursor = page.value.next
  }
  return { ok: true, value: items }
}

type Asking = Pick<OnboardingRequest, 'ask' | 'link'>

const paramsOf = ({ link }: Asking) => ({ params: { customerId: link.customerId } })
const queryOf = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })

export const readVerification = async (request: Asking): Promise<Read<Verification | null>> => {
  const reply = await request.ask(verifications.getByCustomer, paramsOf(request))
  if (reply.ok) return { ok: true, value: reply.value.verification }
  return reply.code === 'resource_not_found' ? { ok: true, value: null } : reply
}

export const readDocuments = (request: Asking): Promise<Read<Document[]>> =>
  readPages(async (cursor) => {
    const reply = await request.ask(documents.list, { ...paramsOf(request), query: queryOf(cursor) })
    if (!reply.ok) return reply
    return { ok: true, value: { items: reply.value.documents, next: reply.value.next_cursor } }
  })

export const readAgreements = (request: Asking): Promise<Read<Agreement[]>> =>
  readPages(async (cursor) => {
    const reply = await request.ask(agreements.list, { ...paramsOf(request), query: queryOf(cursor) })
    if (!reply.ok) return reply
    return { ok: true, value: { items: reply.value.agreements, next: reply.value.next_cursor } }
  })

/** Not found means no requirements: a customer without a verification has none, and other reads check the customer. */
const readRequirements = async (request: Asking): Promise<Read<Requirement[]>> => {
  const read = await readPages<Requirement>(async (cursor) => {
    const query = { status: 'open' as const, ...queryOf(cursor) }
    const reply = await request.ask(requirements.list, { ...paramsOf(request), query })
    if (!reply.ok) return reply
    return { ok: true, value: { items: reply.value.requirements, next: reply.value.next_cursor } }
  })
  return !read.ok && read.code === 'resource_not_found' ? { ok: true, value: [] } : read
}

const readSteps = async (request: Asking): Promise<Read<NextStep[]>> => {
  const reply = await request.ask(nextSteps.list, paramsOf(request))
  return reply.ok ? { ok: true, value: reply.value.next_steps } : reply
}

/** Reads all parts in parallel. */
const readState = async (request: Asking): Promise<Read<OnboardingState>> => {
  const [verification, steps, uploaded, agreed, required] = await Promise.all([
    readVerification(request),
    readSteps(request),
    readDocuments(request),
    readAgreements(request),
    readRequirements(request),
  ])
  if (!verification.ok) return verification
  if (!steps.ok) return steps
  if (!uploaded.ok) return uploaded
  if (!agreed.ok) return agreed
  if (!required.ok) return required
  return {
    ok: true,
    value: {
      verification: verification.value,
      steps: steps.value,
      documents: uploaded.value,
      agreements: agreed.value,
      requirements: required.value,
    },
  }
}

/** Result of a form that was merged into outdated state: {@link withState} merges it again. */
export const MODIFIED = { kind: 'modified' } as const
export type FormAnswer = Answer | typeof MODIFIED

/** Maximum merges of one form. More conflicts than this, each within milliseconds, do not occur in practice. */
const MAX_TRIES = 10

/**
 * Calls `show` with the customer's state, or answers that the link is no longer valid. Calls it again with the current
 * state if it returns {@link MODIFIED}.
 */
export const withState =
  (show: (request: OnboardingRequest, state: OnboardingState) => FormAnswer | Promise<FormAnswer>) =>
  async (request: OnboardingRequest): Promise<Answer> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const state = await readState(request)
      if (!state.ok) return refusedAnswer(state.code, request)
      const answer = await show(request, state.value)
      if (answer.kind !== 'modified') return answer
    }
    return { kind: 'error', code: 'temporarily_unavailable' }
  }

export const stepsNamed = (
  { steps }: Pick<OnboardingState, 'steps'>,
  name: NextStep['step'],
): readonly NextStep[] => steps.filter(({ step }) => step === name)

const hasStep = (state: OnboardingState, name: NextStep['step']): boolean =>
  stepsNamed(state, name).length > 0

/** True if the case accepts writes (decisions §7): while it is open, or pending with an outstanding requirement. */
export const isEditable = (state: OnboardingState): boolean => isOpen(state) || asksInReview(state)

/** True if a write of complete data would submit the case. */
export const isOpen = (state: OnboardingState): boolean => {
  const { verification } = state
  return (
    verification === null ||
    verification.status === 'draft' ||
    verification.status === 'rejected' ||
    hasStep(state, 'renew_verification')
  )
}

const asksInReview = ({ verification, requirements: outstanding }: OnboardingState): boolean =>
  verification?.status === 'pending' && outstanding.length > 0

/** True if the case accepts documents (decisions §6). */
export const takesDocuments = (state: OnboardingState): boolean =>
  state.verification?.status !== 'pending' || asksInReview(state)

/** Returns the dotted paths that submission still needs, without the consent, which the review page asks for. */
export const missingFields = (state: OnboardingState): readonly string[] =>
  stepsNamed(state, 'complete_fields')
    .flatMap(({ resource }) => resource?.fields ?? [])
    .filter((path) => path !== CONSENT_PATH)
export const CONSENT_PATH = 'consent.version'

export const missingDocuments = (state: OnboardingState) =>
  stepsNamed(state, 'upload_documents').flatMap(({ resource }) => resource?.document_types ?? [])

/** True if only the consent is missing for submission. */
export const isReady = (state: OnboardingState): boolean =>
  missingFields(state).length === 0 && missingDocuments(state).length === 0
