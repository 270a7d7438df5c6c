import type { FieldErrors } from '../design/index.ts'
import { enteredText, faultOf, normalized, textOf, valueOf, type Values } from './field-values.ts'
import type { FormField } from './schema-form.ts'

/** Prefix of the hidden field that says what a field held when its page was made. */
const WAS = 'was.'

/** Hidden fields that tell, when the form comes back, what the person has changed. */
export const originals = (fields: readonly FormField[], values: Values): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map((field) => [`${WAS}${field.name}`, textOf(field, values[field.name])]))

/** Whether a form was made of exactly these values. */
export const wasMadeOf = (fields: readonly FormField[], form: URLSearchParams, values: Values): boolean =>
  fields.every(
    (field) =>
      normalized(form.get(`${WAS}${field.name}`) ?? '') === normalized(textOf(field, values[field.name])),
  )

export type Merged = Readonly<{
  /** What is to be written, by field. */
  changes: Values
  /** What is not written, and why: it cannot be stored, or somebody else has changed it to something else. */
  errors: FieldErrors
  /** What the controls show: what was entered, else what is stored. */
  shown: Readonly<Record<string, string>>
}>

/**
 * Merges a form into what is stored now, field by field: a field that the person has not touched keeps what another
 * device has written to it in the meantime. One that both have changed is not written; the page shows both, and sending
 * it again takes what was entered.
 */
export const mergeForm = (fields: readonly FormField[], form: URLSearchParams, stored: Values): Merged => {
  const changes: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  const shown: Record<string, string> = {}
  for (const field of fields) {
    const { name } = field
    const now = textOf(field, stored[name])
    const was = normalized(form.get(`${WAS}${name}`) ?? '')
    const entered = enteredText(field, form)
    const isUntouched = entered === null || entered === was
    shown[name] = isUntouched ? now : entered
    if (isUntouched || entered === normalized(now)) continue
    const fault = faultOf(field, entered)
    if (fault !== null) errors[name] = fault
    else if (normalized(now) !== was)
      errors[name] =
        `Changed on another device in the meantime, to “${now === '' ? 'nothing' : now}”. Save again to keep what stands here.`
    else changes[name] = valueOf(field, entered)
  }
  return { changes, errors, shown }
}
