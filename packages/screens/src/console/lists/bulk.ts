import { ERRORS, type ErrorCode, type StaffRole } from '@causeway/contracts'
import {
  form,
  html,
  linkButton,
  statusTag,
  submit,
  table,
  type Column,
  type Html,
  type Tone,
} from '../../design/index.ts'
import { pageOf } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { FORM_TOKEN } from '../../session.ts'
import { consolePage, type StaffRequest, type StaffSession } from '../frame.ts'
import { mayDo } from '../roles.ts'

/** Maximum entries of one bulk action: each is a separate call with an entry in the audit log. */
export const MAX_BULK = 100
const FORM_ID = 'bulk'
const FIELD = 'entry'
/** Field of the query that checks every box of the page, for browsers without JavaScript. */
const ALL = 'select'

const selectsAll = (query: URLSearchParams): boolean => query.get(ALL) === 'all'

/** A column of checkboxes for the form of a bulk action, which is not around the table: rows have other forms. */
export const selectColumn = <Row>(
  query: URLSearchParams,
  { valueOf, nameOf }: Readonly<{ valueOf: (row: Row) => string; nameOf: (row: Row) => string }>,
): Column<Row> => ({
  heading: 'Select',
  cell: (row) =>
    html`<div class="check">
      <input
        type="checkbox"
        form="${FORM_ID}"
        name="${FIELD}"
        value="${valueOf(row)}"
        aria-label="Select ${nameOf(row)}"
        ${selectsAll(query) && html`checked`}
      />
    </div>`,
})

/** Renders the form of a bulk action. @param path of the list @param action of the form @param text of its button */
export const bulkForm = (
  { formToken }: StaffSession,
  {
    query,
    path,
    action,
    text,
  }: Readonly<{ query: URLSearchParams; path: string; action: string; text: string }>,
): Html => {
  const other = new URLSearchParams(query)
  if (selectsAll(query)) other.delete(ALL)
  else other.set(ALL, 'all')
  const link = other.size === 0 ? path : `${path}?${other.toString()}`
  return form(
    { action, id: FORM_ID, hidden: { [FORM_TOKEN]: formToken } },
    html`<p class="actions">
      ${submit(text, 'quiet')}
      ${linkButton(link, selectsAll(query) ? 'Select none' : 'Select all on this page', 'quiet')}
    </p>`,
  )
}

/** The outcome of one entry. */
export type Outcome = Readonly<{ entry: Html; tone: Tone; text: string }>

/** The outcome of an entry whose call was refused. */
export const refusedOutcome = (entry: Html, code: ErrorCode): Outcome => ({
  entry,
  tone: 'bad',
  text: code === 'resource_not_found' ? 'No longer in the queue' : ERRORS[code].message,
})

type Bulk = Readonly<{
  title: string
  /** Role that the action needs. */
  role: StaffRole
  /** The list to return to. */
  back: Readonly<{ path: string; text: string }>
  act: (value: string) => Promise<Outcome>
}>

/** Acts on each selected entry, one after another, and shows what became of each. */
export const actOnEach = async (
  { session, form: entered }: StaffRequest,
  { title, role, back, act }: Bulk,
): Promise<Answer> => {
  if (!mayDo(session, role)) return { kind: 'error', code: 'insufficient_scope' }
  const outcomes: Outcome[] = []
  const selected = [...new Set(entered.getAll(FIELD))].slice(0, MAX_BULK)
  for (const value of selected) outcomes.push(await act(value))
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title,
      main: html`<h1>${title}</h1>
        ${table({
          caption: 'Outcome of each entry',
          columns: [
            { heading: 'Entry', cell: ({ entry }) => entry },
            { heading: 'Outcome', cell: ({ tone, text }) => statusTag(tone, text) },
          ],
          rows: outcomes,
          empty: 'Nothing was selected. Go back and select at least one entry.',
        })}
        <p>${linkButton(back.path, back.text, 'quiet')}</p>`,
    }),
    selected.length === 0 ? 400 : 200,
  )
}
