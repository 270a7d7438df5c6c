import type { CaseFile, Document, NextStep, reviews } from '@causeway/contracts'
import type { z } from 'zod'
import {
  definitionList,
  html,
  LIVE_SCRIPTS,
  notice,
  pagination,
  time,
  type Html,
} from '../../../design/index.ts'
import { formWith, type FormState } from '../../../form-state.ts'
import { consolePage, type StaffSession } from '../../frame.ts'
import { namedLink, type Names } from '../../names.ts'
import { mayDo } from '../../roles.ts'
import { casePath } from '../paths.ts'
import { caseTag, wordsOf } from '../words.ts'
import { caseWatch } from './case-watch.ts'
import { changesOf } from './changes.ts'
import { decisions } from './decision.ts'
import { documentList, openDocument } from './documents.ts'
import { recordOf, warningsOf } from './record.ts'
import { raiseForm, requirementTable } from './requirements.ts'

export type Case = z.output<(typeof reviews.get)['reply']>['verification']

/** Content of the page of a case. */
export type CaseContent = Readonly<{
  session: StaffSession
  shown: Case
  names: Names
  /** Pagination links of its relationships. */
  pages: Readonly<{ first: string | null; next: string | null }>
  nextSteps: readonly NextStep[]
  /** The document shown next to the submission; null without one. */
  document: Document | null
  /** Why a decision failed; null if it did not. */
  problem: string | null
  /** The submitted requirement and document forms, if one was refused. */
  requirement: FormState
  review: FormState
}>

export const NO_FORMS = { problem: null, requirement: formWith(), review: formWith() }

const stateOf = (shown: Case, names: Names): Html =>
  definitionList([
    { term: 'Status', value: caseTag(shown.status) },
    { term: 'Merchant', value: namedLink(shown.customer_id, names) },
    { term: 'Submitted', value: shown.submitted_at === null ? 'Not yet' : time(shown.submitted_at) },
    ...(shown.edited_at == null ? [] : [{ term: 'Edited since', value: time(shown.edited_at) }]),
    ...(shown.reviewed_at === null ? [] : [{ term: 'Decided', value: time(shown.reviewed_at) }]),
    ...(shown.rejection_reason === null
      ? []
      : [{ term: 'Rejection reason', value: wordsOf(shown.rejection_reason) }]),
    ...(shown.expires_at === null ? [] : [{ term: 'Valid until', value: time(shown.expires_at) }]),
  ])

const submissionOf = ({ shown, names }: CaseContent, file: CaseFile): Html => {
  const path = casePath(shown.verification_id)
  const id = `submission-${file.partner_customer_id}`
  return html`<section class="sheet" aria-labelledby="${id}">
    <h2 id="${id}">${file.business.legal_name ?? 'Unnamed submission'}</h2>
    ${definitionList([
      { term: 'Customer', value: namedLink(file.partner_customer_id, names) },
      { term: 'Partner', value: namedLink(file.partner_id, names) },
      { term: 'Relationship', value: wordsOf(file.relationship_status) },
      { term: 'Data and documents', value: file.complete ? 'Complete' : 'Incomplete' },
      { term: 'Agreements', value: file.agreements_accepted ? 'Accepted' : 'Not all accepted' },
      ...(file.updated_at === null ? [] : [{ term: 'Last change', value: time(file.updated_at) }]),
    ])}
    ${warningsOf(file)} ${changesOf(path, shown.submitted_at, file)}
    <h3>Documents</h3>
    ${documentList(path, file)} ${recordOf(file)}
  </section>`
}

const ACTORS = { partner: 'The partner', merchant: 'The merchant', service: 'Staff' } as const

const nextStepsOf = (steps: readonly NextStep[]): Html =>
  steps.length === 0
    ? html`<p>No next steps.</p>`
    : html`<ol>
        ${steps.map(({ actor, message }) => html`<li><strong>${ACTORS[actor]}:</strong> ${message}</li>`)}
      </ol>`

/** Renders a case for its reviewer: the submission, a document next to it, and the decisions. */
export const casePage = (content: CaseContent): Html => {
  const { session, shown, document, problem } = content
  const path = casePath(shown.verification_id)
  const refused = problem ?? content.requirement.problem
  const [first] = shown.relationships
  return consolePage({
    session,
    current: '/console',
    title: `${refused === null ? '' : 'Error: '}Case ${first?.business.legal_name ?? shown.verification_id}`,
    main: html`<h1>Case <code>${shown.verification_id}</code></h1>
      ${problem !== null && notice('bad', 'Nothing was decided.', problem)} ${stateOf(shown, content.names)}
      ${caseWatch(shown, shown.version)} ${decisions(session, shown)}
      <div class="side-by-side">
        <div>
          ${shown.relationships.map((file) => submissionOf(content, file))} ${pagination(content.pages)}
          <section class="sheet" aria-labelledby="steps">
            <h2 id="steps">Next steps</h2>
            ${nextStepsOf(content.nextSteps)}
          </section>
          <section class="sheet" aria-labelledby="requirements">
            <h2 id="requirements">Requirements</h2>
            ${requirementTable(session, path, shown.requirements)}
            ${shown.requirements_next_cursor !== null && html`<p class="hint">There are more requirements than shown here.</p>`}
            ${mayDo(session, 'reviewer') && raiseForm(session, path, content.requirement)}
          </section>
        </div>
        <div>${document !== null && openDocument({ session, document, state: content.review })}</div>
      </div>`,
    scripts: [
      ...(shown.status === 'pending' ? LIVE_SCRIPTS : []),
      ...(document?.mime_type === 'application/pdf' ? ['pdf-viewer.js'] : []),
    ],
  })
}
