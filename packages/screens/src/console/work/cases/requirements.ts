import { DocumentType, RequirementKind, type Requirement } from '@causeway/contracts'
import {
  html,
  selectField,
  submit,
  table,
  textArea,
  textField,
  time,
  type Html,
} from '../../../design/index.ts'
import { formFaults, type FormState } from '../../../form-state.ts'
import { consoleForm, type StaffSession } from '../../frame.ts'
import { mayDo } from '../../roles.ts'
import { requirementTag, wordsOf } from '../words.ts'

const optionsOf = (codes: readonly string[]) => codes.map((value) => ({ value, text: wordsOf(value) }))

/** Actions of staff on a requirement, by its status: cancel an open one, accept a fulfilled one. */
const MOVES: Readonly<Partial<Record<Requirement['status'], readonly [status: string, text: string]>>> = {
  open: ['cancelled', 'Cancel'],
  fulfilled: ['satisfied', 'Accept the answer'],
}

const moveForm = (session: StaffSession, path: string, requirement: Requirement): Html => {
  const move = MOVES[requirement.status]
  if (move === undefined) return html`<span class="hint">Closed</span>`
  const [status, text] = move
  return consoleForm(
    session,
    `${path}/requirements/${requirement.requirement_id}`,
    html`<input type="hidden" name="status" value="${status}" />${submit(text, 'quiet')}`,
  )
}

/** Lists the requirements of a case. @param path of the case */
export const requirementTable = (
  session: StaffSession,
  path: string,
  requirements: readonly Requirement[],
): Html =>
  table({
    caption: 'Requirements of this case',
    columns: [
      { heading: 'Message', cell: (row) => row.message },
      {
        heading: 'Kind',
        cell: (row) => wordsOf(row.document_type ?? row.target ?? row.kind),
      },
      { heading: 'Status', cell: (row) => requirementTag(row.status) },
      { heading: 'Raised', cell: (row) => html`${time(row.created_at)} by ${wordsOf(row.raised_by)}` },
      ...(mayDo(session, 'reviewer')
        ? [{ heading: 'Actions', cell: (row: Requirement) => moveForm(session, path, row) }]
        : []),
    ],
    rows: requirements,
    empty: 'No requirements.',
  })

/** Renders the form that raises a requirement. */
export const raiseForm = (session: StaffSession, path: string, state: FormState): Html => {
  const { entered, errors } = state
  return consoleForm(
    session,
    `${path}/requirements`,
    html`${formFaults(state)}
      ${selectField({
        name: 'kind',
        label: 'Kind',
        options: optionsOf(RequirementKind.options),
        value: entered.get('kind') ?? 'document',
        error: errors['kind'],
        isRequired: true,
      })}
      ${selectField({
        name: 'document_type',
        label: 'Document type',
        hint: 'Only for the kind “Document”',
        options: [{ value: '', text: 'None' }, ...optionsOf(DocumentType.options)],
        value: entered.get('document_type') ?? '',
        error: errors['document_type'],
      })}
      ${textField({
        name: 'target',
        label: 'Field',
        hint: 'Only for the kind “Field”: its dotted path, for example business.legal_name',
        value: entered.get('target') ?? '',
        error: errors['target'],
      })}
      ${textArea({
        name: 'message',
        label: 'Message',
        hint: 'Text for the merchant, at most 500 characters',
        value: entered.get('message') ?? '',
        error: errors['message'],
        isRequired: true,
      })}
      <p class="actions">${submit('Raise the requirement', 'quiet')}</p>`,
  )
}
