import {
  ERRORS,
  FIELD_REASONS,
  type ErrorCode,
  type ErrorDetail,
  type FieldReason,
} from '@causeway/contracts'
import { errorSummary, html, notice, type FieldErrors, type Html } from './design/index.ts'

/** What a form shows: what was entered, and what was wrong with it. */
export type FormState = Readonly<{
  entered: URLSearchParams
  /** Faults of single fields, by their names. */
  errors: FieldErrors
  /** A fault of the whole. */
  problem: string | null
}>

/** A form before it is sent. @param entered what its fields hold */
export const formWith = (entered: URLSearchParams = new URLSearchParams()): FormState => ({
  entered,
  errors: {},
  problem: null,
})

type Refused = Readonly<{ code: ErrorCode; details?: readonly ErrorDetail[] }>

const REASONS: Readonly<Record<FieldReason, string>> = {
  required: 'Fill this in.',
  unknown_field: 'This is not known here. Leave it out.',
  invalid_type: 'This has another form than was expected.',
  invalid_value: 'This value is not one that can be used here.',
  too_long: 'This is too long.',
  too_short: 'Fill this in: it is empty or too short.',
  too_many: 'These are too many.',
  too_small: 'This is too small.',
  too_big: 'This is too big.',
  too_large: 'This is too large.',
  not_https: 'Enter an address that begins with https://.',
  forbidden_address: 'This address cannot be used: it is not on the public internet.',
  unsupported_type: 'This type of file cannot be used.',
  unsupported_version: 'This version cannot be used.',
  invalid_json: 'This is not JSON. Check brackets, quotes and commas.',
  invalid_date: 'Enter a date like 2026-11-23.',
}

const isReason = (reason: unknown): reason is FieldReason => FIELD_REASONS.includes(reason as FieldReason)

/** A sentence for a field; other reasons are codes of their own, which are read as words. */
const sentenceOf = ({ reason, expected }: ErrorDetail): string => {
  if (typeof expected === 'string') return `Enter ${expected}.`
  if (isReason(reason)) return REASONS[reason]
  return `This cannot be used: ${String(reason).replaceAll('_', ' ')}.`
}

const PROBLEMS: Readonly<Partial<Record<ErrorCode, string>>> = {
  limit_reached: 'The limit is reached. Remove one that is no longer needed, then try again.',
  invalid_state: 'This is no longer possible. Load the page again to see what has changed.',
}

/** The faults of a refusal by the fields of its details: `parties.0.name` belongs to the field `parties`. */
const fieldErrorsOf = ({ details = [] }: Refused): FieldErrors =>
  Object.fromEntries(
    details.flatMap((detail) =>
      typeof detail['field'] === 'string' ? [[detail['field'].split('.')[0] ?? '', sentenceOf(detail)]] : [],
    ),
  )

/** The form as it was sent, with what an operation refused in it. */
export const refusedForm = (entered: URLSearchParams, refused: Refused): FormState => {
  const errors = fieldErrorsOf(refused)
  const isOfFields = Object.keys(errors).length > 0
  return {
    entered,
    errors,
    problem: isOfFields ? null : (PROBLEMS[refused.code] ?? ERRORS[refused.code].message),
  }
}

/** Whether a refusal is about what was entered, and is shown at the form; every other one is a page of its own. */
export const isAboutForm = (code: ErrorCode): boolean => [400, 409, 422].includes(ERRORS[code].status)

/** What was wrong with a form, above it. */
export const formFaults = ({ errors, problem }: FormState): Html => html`
  ${errorSummary(errors)} ${problem !== null && notice('bad', 'Nothing was saved.', problem)}
`

/** The title of a page says at once that its form has a fault. */
export const titleOf = (title: string, { errors, problem }: FormState): string =>
  problem !== null || Object.keys(errors).length > 0 ? `Error: ${title}` : title
