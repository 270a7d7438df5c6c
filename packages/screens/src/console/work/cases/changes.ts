import type { CaseChanges, CaseFile, Document, FieldChange, PersonChange } from '@causeway/contracts'
import { EMPTY, html, table, time, type Html } from '../../../design/index.ts'
import { documentTag, wordsOf } from '../words.ts'
import { withDocument } from './documents.ts'
import { labelOf, valueOf } from './record.ts'

/** Renders changed fields. @param caption must be unique on the page */
const changeTable = (caption: string, changes: readonly FieldChange[], wordOf: (field: string) => string) =>
  table({
    caption,
    columns: [
      { heading: 'Field', cell: ({ field }) => wordOf(field) },
      { heading: 'Before', cell: ({ before }) => valueOf(before) },
      { heading: 'Now', cell: ({ after }) => valueOf(after) },
    ],
    rows: changes,
    empty: 'No changes.',
  })

const ONE = { directors: 'Director', ubos: 'Owner' } as const

const personTable = (
  file: CaseFile,
  { list, change, full_name: name, fields }: PersonChange,
  index: number,
) =>
  changeTable(
    `${index + 1}. ${ONE[list]} ${change}: ${name ?? 'unnamed'} (${file.partner_customer_id})`,
    fields,
    wordsOf,
  )

/** Lists documents uploaded after a time. A document of a type that existed before is marked as a replacement. */
const newDocuments = (path: string, { documents, documents_next_cursor: next }: CaseFile, since: string) => {
  const isOld = ({ uploaded_at: at }: Document) => Date.parse(at) <= Date.parse(since)
  const known = new Set(documents.filter(isOld).map(({ document_type: type }) => type))
  const added = documents.filter((document) => !isOld(document))
  const item = ({ document_id: id, document_type: type, file_name: file, status }: Document): Html =>
    html`<li>
      ${known.has(type) ? 'Replaced' : 'Added'}: <a href="${withDocument(path, id)}">${wordsOf(type)}</a>
      (${file}) ${documentTag(status)}
    </li>`
  return {
    count: added.length,
    content: html`${
      added.length > 0 &&
      html`<ul class="documents">
        ${added.map(item)}
      </ul>`
    }
    ${next !== null && html`<p class="hint">Documents that are not shown here are not compared.</p>`}`,
  }
}

const dataChanges = (file: CaseFile, { fields, people, complete }: CaseChanges): Html =>
  html`${fields.length > 0 && changeTable(`Fields changed: ${file.partner_customer_id}`, fields, labelOf)}
  ${people.map((person, index) => personTable(file, person, index))}
  ${!complete && html`<p class="hint">There are more changes than shown here. Check all the data below.</p>`}`

/**
 * Renders the changes since the last decision. @param submittedAt of the case; used to find new documents if no earlier
 * data is stored
 */
export const changesOf = (path: string, submittedAt: string | null, file: CaseFile): Html => {
  const { changes } = file
  const since = changes?.since ?? submittedAt
  if (since === null) return EMPTY
  const documents = newDocuments(path, file, since)
  if (changes === null)
    return html`<h3>Changes since the last submission</h3>
      <p class="hint">There is no earlier submission to compare with.</p>
      ${documents.count > 0 && html`<p>Uploaded after the submission:</p>`} ${documents.content}`
  const isSame = changes.complete && changes.fields.length + changes.people.length + documents.count === 0
  return html`<h3>Changes since ${time(since)}</h3>
    ${dataChanges(file, changes)} ${isSame && html`<p>Nothing has changed.</p>`} ${documents.content}`
}
