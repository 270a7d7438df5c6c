import { VerificationRejectionReason, type CaseFile, type ReviewedCase } from '@causeway/contracts'
import {
  dialogButton,
  EMPTY,
  html,
  selectField,
  submit,
  submitAndNext,
  textField,
  type Html,
} from '../../../design/index.ts'
import { consoleForm, type StaffSession } from '../../frame.ts'
import { mayDo } from '../../roles.ts'
import { casePath } from '../paths.ts'
import { wordsOf } from '../words.ts'

const versionField = ({ version }: ReviewedCase): Html =>
  version === undefined ? EMPTY : html`<input type="hidden" name="version" value="${version}" />`

/** Reads the version of the case that the form was rendered with. */
export const versionIn = (form: URLSearchParams): Readonly<{ version?: number }> =>
  form.get('version') === null ? {} : { version: Number(form.get('version')) }

type ShownCase = ReviewedCase & Readonly<{ relationships: readonly CaseFile[] }>

/** True if a document of the shown relationships was not reviewed, or may not have been because it is not shown. */
export const hasUnreviewed = ({ relationships }: ShownCase): boolean =>
  relationships.some(
    ({ documents, documents_next_cursor: next }) =>
      next !== null || documents.some(({ status }) => status === 'uploaded'),
  )

const reasonField = textField({
  name: 'reason',
  id: 'approve-reason',
  label: 'Why you approve it with documents that were not reviewed',
  hint: 'The audit log keeps it. At most 500 characters.',
  isRequired: true,
})

/** Renders the decision buttons of a pending case for a reviewer. The decision applies to the shown version. */
export const decisions = (session: StaffSession, shown: ShownCase): Html => {
  const { verification_id: id, status } = shown
  if (status !== 'pending' || !mayDo(session, 'reviewer')) return EMPTY
  const path = casePath(id)
  return html`<div class="actions">
    ${dialogButton(
      { id: 'approve', text: 'Approve…', title: 'Approve this case?' },
      html`<p>Its capabilities become available, and every partner of the merchant is notified.</p>
        ${consoleForm(session, `${path}/approve`, html`${versionField(shown)} ${hasUnreviewed(shown) && reasonField} ${submit('Approve the case')} ${submitAndNext('Approve and open the next case')}`)}`,
    )}
    ${dialogButton(
      { id: 'reject', text: 'Reject…', title: 'Reject this case?', look: 'danger' },
      html`<p>
          The case can then be edited and submitted again. Every partner of the merchant is notified of the
          reason.
        </p>
        ${consoleForm(
          session,
          `${path}/reject`,
          html`${versionField(shown)}
            ${selectField({
              name: 'rejection_reason',
              id: 'reject-reason',
              label: 'Reason',
              options: VerificationRejectionReason.options.map((value) => ({ value, text: wordsOf(value) })),
              isRequired: true,
            })}
            <p class="actions">
              ${submit('Reject the case', 'danger')}
              ${submitAndNext('Reject and open the next case', 'danger')}
            </p>`,
        )}`,
    )}
  </div>`
}
