import {
  ERRORS,
  FIELD_REASONS,
  type ErrorCode,
  type ErrorDetail,
  type FieldReason,
} from '@causeway/contracts'
import { errorSummary, html, notice, type FieldErrors, type Html } from './design/index.ts'

/** The values entered in a form, and their errors. */
export type FormState = Readonly<{
  entered: URLSearchParams
  /** Errors by field name. */
  errors: FieldErrors
  /** Error that concerns the whole form. */
  problem: string | null
}>

/** Creates a form without errors. @param entered initial values of its fields */
export const formWith = (entered: URLSearchParams = new URLSearchParams()): FormState => ({
  entered,
  errors: {},
  problem: null,
})

type Refused = Readonly<{ code: ErrorCode; details?: readonly ErrorDetail[] }>

const REASONS: Readonly<Record<FieldReason, string>> = {
  required: 'Enter a value.',
  unknown_field: 'This field is unknown. Remove it.',
  invalid_type: 'This value has the wrong format.',
  invalid_value: 'This value is not allowed. Choose or enter a different one.',
  too_long: 'This is too long. Shorten it.',
  too_short: 'This is empty or too short. Enter more.',
  too_many: 'There are too many items. Remove some.',
  too_small: 'This is too small. Enter a larger value.',
  too_big: 'This is too big. Enter a smaller value.',
  too_large: 'This is too large. Send less.',
  not_https: 'Enter an address that begins with https://.',
  forbidden_address: 'Enter an address on the public internet.',
  unsupported_type: 'This file type is not supported. Choose a different file.',
  unsupported_version: 'This version is not supported.',
  invalid_json: 'This is not valid JSON. Check brackets, quotes and commas.',
  invalid_date: 'Enter a date in the form YYYY-MM-DD.',
}

const isReason = (reason: unknown): reason is FieldReason => FIELD_REASONS.includes(reason as FieldReason)

/** Describes an error of a field. A reason without a specific text is shown as words. */
const sentenceOf = ({ reason, expected, allowed, hint }: ErrorDetail): string => {
  const more = typeof hint === 'string' ? ` ${hint}` : ''
  // "At least 1 character" says less to a person than that the field is empty.
  if (typeof expected === 'string' && reason !== 'too_short') return `Enter ${expected}.${more}`
  if (Array.isArray(allowed)) return `Choose one of: ${allowed.join(', ')}.${more}`
  if (isReason(reason)) return REASONS[reason]
  return `This cannot be used: ${String(reason).replaceAll('_', ' ')}.`
}

const PROBLEMS: Readonly<Partial<Record<ErrorCode, string>>> = {
  limit_reached: 'The limit is reached. Remove one that you no longer need, then try again.',
  invalid_state: 'This is no longer possible. Load the page again to see what has changed.',
}

/** Groups the details of a refusal by form field: `parties.0.name` belongs to the field `parties`. */
const fieldErrorsOf = ({ details = [] }: Refused): FieldErrors =>
  Object.fromEntries(
    details.flatMap((detail) =>
      typeof detail['field'] === 'string' ? [[detail['field'].split('.')[0] ?? '', sentenceOf(detail)]] : [],
    ),
  )

/** Returns the submitted form with the errors of an operation's refusal. */
export const refusedForm = (entered: URLSearchParams, refused: Refused): FormState => {
  const errors = fieldErrorsOf(refused)
  const isOfFields = Object.keys(errors).length > 0
  return {
    entered,
    errors,
    problem: isOfFields ? null : (PROBLEMS[refused.code] ?? ERRORS[refused.code].message),
  }
}

/** True if a refusal concerns the entered values and belongs on the form; others get an error page. */
export const isAboutForm = (code: ErrorCode): boolean => [400, 409, 422].includes(ERRORS[code].status)

/** Renders the errors of a form, to show above it. */
export const formFaults = ({ errors, problem }: FormState): Html => html`
  ${errorSummary(errors)} ${problem !== null && notice('bad', 'Nothing was saved.', problem)}
`

/** Prefixes the title of a page whose form has an error. */
export const titleOf = (title: string, { errors, problem }: FormState): string =>
  problem !== null || Object.keys(errors).length > 0 ? `Error: ${title}` : title
