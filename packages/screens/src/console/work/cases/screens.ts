import {
  documents,
  nextSteps,
  requirements,
  reviews,
  type Document,
  type ErrorDetail,
  type RaiseRequirement,
} from '@causeway/contracts'
import type { z } from 'zod'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { formWith } from '../../../form-state.ts'
import { html, wantsNext } from '../../../design/index.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { readNames } from '../../names.ts'
import { mayDo } from '../../roles.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo } from '../../../replies.ts'
import { casePath, CASES_PATH } from '../paths.ts'
import { caseWatch } from './case-watch.ts'
import { hasUnreviewed, versionIn } from './decision.ts'
import { withDocument } from './documents.ts'
import { listCases } from './list.ts'
import { casePage, NO_FORMS, type Case, type CaseContent } from './view.ts'

const PATH = `${CASES_PATH}/:verificationId`
const idOf = ({ params }: StaffRequest): string => params['verificationId'] ?? ''

type Forms = Pick<CaseContent, 'problem' | 'requirement' | 'review'>

/** Returns the document named in the URL, otherwise the first one to review. */
const documentOf = ({ relationships }: Case, wanted: string | null): Document | null => {
  const all = relationships.flatMap((file) => file.documents)
  return (
    all.find(({ document_id: id }) => id === wanted) ??
    all.find(({ status }) => status === 'uploaded') ??
    all[0] ??
    null
  )
}

/** Shows a case. @param forms overrides of the empty forms */
const show = async (
  request: StaffRequest,
  { id = idOf(request), documentId = request.query.get('document'), status = 200, ...forms }: Showing = {},
): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(reviews.get, { params: { verificationId: id }, query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { verification: shown, next_cursor: next } = reply.value
  const [first] = shown.relationships
  const [steps, names] = await Promise.all([
    first && ask(nextSteps.listByStaff, { params: { partnerCustomerId: first.partner_customer_id } }),
    readNames(request, [
      shown.customer_id,
      ...shown.relationships.map((file) => [file.partner_customer_id, file.partner_id]),
    ]),
  ])
  const review = formWith(new URLSearchParams({ case: id }))
  return pageOf(
    casePage({
      session,
      shown,
      names,
      pages: pageLinks(casePath(id), request, next),
      nextSteps: steps?.ok ? steps.value.next_steps : [],
      document: documentOf(shown, documentId),
      ...NO_FORMS,
      review,
      ...forms,
    }),
    status,
  )
}
type Showing = Partial<Forms> & Readonly<{ id?: string; documentId?: string | null; status?: number }>

/** Texts for why a case cannot be decided, by the reason of the refusal. */
const BLOCKERS: Readonly<Record<string, string>> = {
  submission_incomplete: 'No active relationship has a complete submission.',
  agreement_required: 'The current agreements have not been accepted yet.',
  modified:
    'The case has changed since you opened it. This is the current version: review it before you decide.',
}
const blockerOf = (details: readonly ErrorDetail[] = []): string => {
  const reason = details.find((detail) => typeof detail['reason'] === 'string')?.['reason']
  return BLOCKERS[String(reason)] ?? 'The case is no longer waiting for a decision.'
}

/** Returns the case that waits longest for a decision, or the queue if none does. */
const nextCase = async ({ ask }: StaffRequest): Promise<string> => {
  const reply = await ask(reviews.list, { query: { status: 'pending', limit: '1' } })
  const [next] = reply.ok ? reply.value.verifications : []
  return next === undefined ? CASES_PATH : casePath(next.verification_id)
}

/** Decides a case. If it already has this decision, for example after a second click, shows the case. */
const decide = async (
  request: StaffRequest,
  status: 'approved' | 'rejected',
  ask: () => Promise<Awaited<ReturnType<typeof request.ask<typeof reviews.approve>>>>,
): Promise<Answer> => {
  const reply = await ask()
  if (reply.ok) return redirectTo(wantsNext(request.form) ? await nextCase(request) : casePath(idOf(request)))
  if (reply.code !== 'invalid_state') return { kind: 'error', code: reply.code }
  const isDone = reply.details?.some((detail) => detail['from'] === status) === true
  return isDone
    ? redirectTo(casePath(idOf(request)))
    : show(request, { problem: blockerOf(reply.details), status: 409 })
}

const NOT_REVIEWED = 'Documents were not reviewed. Review them, or enter why you approve the case without it.'

/** Approves a case. Documents that were not reviewed need a reason; only the case tells whether there are any. */
const approve = async (request: StaffRequest): Promise<Answer> => {
  const params = { verificationId: idOf(request) }
  const reason = request.form.get('reason')?.trim() ?? ''
  if (reason === '' && mayDo(request.session, 'reviewer')) {
    const found = await request.ask(reviews.get, { params, query: {} })
    if (!found.ok) return { kind: 'error', code: found.code }
    const { verification } = found.value
    if (verification.status === 'pending' && hasUnreviewed(verification))
      return show(request, { problem: NOT_REVIEWED, status: 400 })
  }
  const body = { ...versionIn(request.form), ...(reason !== '' && { reason }) }
  return decide(request, 'approved', () => request.ask(reviews.approve, { params, body }))
}

const reject = (request: StaffRequest) =>
  decide(request, 'rejected', () =>
    request.ask(reviews.reject, {
      params: { verificationId: idOf(request) },
      body: {
        rejection_reason: (request.form.get('rejection_reason') ?? '') as 'other',
        ...versionIn(request.form),
      },
    }),
  )

/** Shows whether a case has changed since its page was opened; that page polls this one. */
const watch = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session, query } = request
  const params = { verificationId: idOf(request) }
  const reply = await ask(reviews.get, { params, query: { limit: '1' } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { verification } = reply.value
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Changes of a case',
      main: html`<h1>Case <code>${verification.verification_id}</code></h1>
        ${caseWatch(verification, Number(query.get('version')))}`,
    }),
  )
}

/** Reads the requirement form without empty fields, because the operation would read '' as a value. */
const raisedBy = (form: URLSearchParams): z.input<typeof RaiseRequirement> =>
  Object.fromEntries(
    ['kind', 'document_type', 'target', 'message']
      .map((name) => [name, form.get(name)?.trim() ?? ''] as const)
      .filter(([, value]) => value !== ''),
  ) as z.input<typeof RaiseRequirement>

const raise = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const verificationId = idOf(request)
  const found = await ask(reviews.get, { params: { verificationId }, query: { limit: '1' } })
  if (!found.ok) return { kind: 'error', code: found.code }
  const params = { customerId: found.value.verification.customer_id }
  const reply = await ask(requirements.raiseByStaff, { params, body: raisedBy(form) })
  return reply.ok
    ? redirectTo(`${casePath(verificationId)}#requirements`)
    : answerRefusedForm(reply, form, (requirement, status) => show(request, { requirement, status }))
}

const moveRequirement = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form, params } = request
  const status = form.get('status') === 'satisfied' ? 'satisfied' : 'cancelled'
  const requirementId = params['requirementId'] ?? ''
  const reply = await ask(requirements.updateByStaff, { params: { requirementId }, body: { status } })
  return reply.ok
    ? redirectTo(`${casePath(idOf(request))}#requirements`)
    : answerRefusedForm(reply, form, ({ problem }, code) => show(request, { problem, status: code }))
}

const VERIFICATION_ID = /^ver_\w+$/

/** Decides on a document. The form names the case to return to. */
const review = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form, params } = request
  const documentId = params['documentId'] ?? ''
  const id = form.get('case') ?? ''
  if (!VERIFICATION_ID.test(id)) return { kind: 'error', code: 'resource_not_found' }
  const reason = form.get('rejection_reason')?.trim() ?? ''
  const body = {
    status: (form.get('status') ?? '') as 'accepted',
    ...(reason === '' ? {} : { rejection_reason: reason }),
  }
  const reply = await ask(documents.review, { params: { documentId }, body })
  return reply.ok
    ? redirectTo(wantsNext(form) ? `${casePath(id)}#document` : withDocument(casePath(id), documentId))
    : answerRefusedForm(reply, form, (state, status) =>
        show(request, { id, documentId, review: state, status }),
      )
}

/** Redirects to a download URL of the document, which is valid for five minutes. The audit log records each one. */
const content = async ({ ask, params }: StaffRequest): Promise<Answer> => {
  const documentId = params['documentId'] ?? ''
  const reply = await ask(documents.createDownloadByStaff, { params: { documentId } })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  return redirectTo(new URL(reply.value.download_url).pathname)
}

/** The queue of cases, a case with its documents, and all decisions on them. */
export const caseScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: CASES_PATH, answer: listCases }),
  sessionScreen('console', { method: 'GET', path: PATH, answer: (request) => show(request) }),
  sessionScreen('console', { method: 'GET', path: `${PATH}/changes`, answer: watch }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/approve`, answer: approve }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/reject`, answer: reject }),
  sessionScreen('console', { method: 'POST', path: `${PATH}/requirements`, answer: raise }),
  sessionScreen('console', {
    method: 'POST',
    path: `${PATH}/requirements/:requirementId`,
    answer: moveRequirement,
  }),
  sessionScreen('console', {
    method: 'GET',
    path: '/console/documents/:documentId/content',
    answer: content,
  }),
  sessionScreen('console', { method: 'POST', path: '/console/documents/:documentId/review', answer: review }),
]
