import type { CaseFile, Document } from '@causeway/contracts'
import {
  html,
  linkButton,
  selectField,
  submit,
  submitAndNext,
  textField,
  type Html,
} from '../../../design/index.ts'
import type { FormState } from '../../../form-state.ts'
import { consoleForm, type StaffSession } from '../../frame.ts'
import { mayDo } from '../../roles.ts'
import { documentPath } from '../paths.ts'
import { documentTag, wordsOf } from '../words.ts'

/** Returns the URL of a case with one of its documents open. */
export const withDocument = (path: string, documentId: string): string =>
  `${path}?document=${documentId}#document`

const KIB = 1_024
const sizeOf = (bytes: number): string =>
  bytes < KIB * KIB ? `${Math.ceil(bytes / KIB)} KiB` : `${(bytes / KIB / KIB).toFixed(1)} MiB`

/** Lists the documents of a relationship; each link opens the document next to the submission. */
export const documentList = (path: string, { documents, documents_next_cursor: next }: CaseFile): Html =>
  documents.length === 0
    ? html`<p>No documents were uploaded.</p>`
    : html`<ul class="documents">
          ${documents.map(
            (document) =>
              html`<li>
                <a href="${withDocument(path, document.document_id)}">${wordsOf(document.document_type)}</a>
                ${documentTag(document.status)}
              </li>`,
          )}
        </ul>
        ${next !== null && html`<p class="hint">There are more documents than shown here.</p>`}`

/**
 * Shows a document: an image directly, a PDF through a script, because responses with uploaded files forbid browsers to
 * open them as pages.
 */
const viewer = (document: Document): Html => {
  const content = `${documentPath(document.document_id)}/content`
  const name = `${wordsOf(document.document_type)}: ${document.file_name}`
  return document.mime_type === 'application/pdf'
    ? html`<div class="document" data-pdf="${content}" role="region" aria-label="${name}" tabindex="0"></div>`
    : html`<img class="document" src="${content}" alt="${name}" />`
}

const OUTCOMES = [
  { value: 'accepted', text: 'Accept' },
  { value: 'rejected', text: 'Reject' },
]

/** Renders the form that accepts or rejects a document. @param state the refused form, or an empty one */
const reviewForm = (session: StaffSession, document: Document, state: FormState): Html => {
  const { entered, errors } = state
  return consoleForm(
    session,
    `${documentPath(document.document_id)}/review`,
    html`<input type="hidden" name="case" value="${entered.get('case') ?? ''}" />
      ${selectField({
        name: 'status',
        label: 'Decision on this document',
        options: OUTCOMES,
        value: entered.get('status') ?? 'accepted',
        error: errors['status'],
        isRequired: true,
      })}
      ${textField({
        name: 'rejection_reason',
        label: 'Reason',
        hint: 'Required if you reject the document. The partner and the merchant can read it. At most 500 characters.',
        value: entered.get('rejection_reason') ?? '',
        error: errors['rejection_reason'],
      })}
      <p class="actions">
        ${submit('Save the decision', 'quiet')} ${submitAndNext('Save and open the next', 'quiet')}
      </p>`,
  )
}

type OpenDocument = Readonly<{ session: StaffSession; document: Document; state: FormState }>

/** Renders the open document with its decision form. */
export const openDocument = ({ session, document, state }: OpenDocument): Html =>
  html`<section class="sheet" id="document" aria-labelledby="document-title" tabindex="-1">
    <h2 id="document-title">${wordsOf(document.document_type)} ${documentTag(document.status)}</h2>
    <p class="hint">${document.file_name}, ${sizeOf(document.file_size_bytes)}</p>
    ${document.rejection_reason !== null && html`<p>Rejected: ${document.rejection_reason}</p>`}
    ${viewer(document)}
    <p class="actions">${linkButton(`${documentPath(document.document_id)}/content`, 'Download', 'quiet')}</p>
    ${mayDo(session, 'reviewer') && reviewForm(session, document, state)}
  </section>`
