import {
  ERRORS,
  MAX_IMPORT_BYTES,
  type ErrorCode,
  type ErrorDetail,
  type FileImportReport,
} from '@causeway/contracts'
import { html, notice, submit, table, textField, type Html } from '../../../design/index.ts'
import { formWith, type FormState } from '../../../form-state.ts'
import type { Refused } from '../../../replies.ts'

/** Name of the file control, and of its error. */
export const FILE = 'file'

const MAX_MB = MAX_IMPORT_BYTES / 1024 / 1024

type Words = Readonly<{
  /** States what was imported. */
  title: string
  /** Says what happens next. */
  next: string
}>

const count = (lines: number): string => lines.toLocaleString('en')

/** Renders the result of an import: how many lines were new, known and rejected, and the rejected ones. */
export const importReport = (
  { imported, duplicates, rejected, rejected_not_listed: notListed = 0 }: FileImportReport,
  { title, next }: Words,
): Html =>
  html`${notice(
    rejected.length === 0 ? 'good' : 'warning',
    title,
    `New lines: ${count(imported)}. Already known: ${count(duplicates)}. Rejected lines: ${count(rejected.length + notListed)}. ${next}`,
  )}
  ${
    rejected.length > 0 &&
    table({
      caption: notListed > 0 ? `The first ${count(rejected.length)} rejected lines` : 'Rejected lines',
      columns: [
        { heading: 'Line', cell: (row) => row.line, isNumber: true },
        { heading: 'Reason', cell: (row) => row.reason },
      ],
      rows: rejected,
      empty: '',
    })
  }`

type Control = Readonly<{ label: string; hint: string; accept: string; error: string | undefined }>

/** Renders the file control and the button of an import. */
export const importControl = ({ hint, ...field }: Control): Html => html`
  ${textField({
    ...field,
    name: FILE,
    hint: `${hint} At most ${MAX_MB} MB and 100,000 lines; a large file takes up to a minute.`,
    type: 'file',
    isRequired: true,
  })}
  <p class="actions">${submit('Import the file')}</p>
`

const LATER =
  'Nothing was imported: another import is running, or a service restarts. Wait a minute, then choose the file again.'
const TOO_LARGE = `Choose a file of at most ${MAX_MB} MB: export shorter periods, and import one after another.`
const CUT_OFF = 'The file did not arrive completely, and nothing was imported. Choose it again.'

const REFUSALS: Readonly<Partial<Record<ErrorCode, string>>> = {
  payload_too_large: TOO_LARGE,
  rate_limited: LATER,
  temporarily_unavailable: LATER,
}

const REASONS: Readonly<Record<string, string>> = {
  required: 'Choose a file.',
  too_small: 'This file is empty. Choose a different one.',
  too_many: 'Choose one file.',
}

/** Describes why a file cannot be read. @param kinds the files that can be, such as "CSV file" */
const unreadable = (expected: string, kinds: string): string =>
  expected.startsWith('UTF-8')
    ? `This is not text in UTF-8. Choose the ${kinds}, not a spreadsheet or a PDF, and save it in UTF-8.`
    : `This cannot be read. ${expected}`

/** The error of a file among the details of a refusal; null if they are about other fields. */
const faultOf = (details: readonly ErrorDetail[], kinds: string): string | null => {
  if (details.length === 0) return CUT_OFF
  const [found] = details.flatMap(({ field, reason, expected }) => {
    if (field === FILE) return [REASONS[String(reason)] ?? CUT_OFF]
    return field === 'csv' || field === 'xml'
      ? [unreadable(typeof expected === 'string' ? expected : '', kinds)]
      : []
  })
  return found ?? null
}

/** Returns the error to show at the file; null if the cause is something else. */
export const importError = ({ code, details = [] }: Refused, kinds: string): string | null =>
  code === 'invalid_request' ? faultOf(details, kinds) : (REFUSALS[code] ?? null)

/** The form of a refused file, and its status. */
export const refusedFile = (
  { code }: Refused,
  error: string,
  entered?: URLSearchParams,
): Readonly<{ state: FormState; status: number }> => ({
  state: { ...formWith(entered), errors: { [FILE]: error } },
  status: ERRORS[code].status,
})
