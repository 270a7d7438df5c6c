import type { FieldErrors } from '../design/index.ts'
import type { Language } from '../languages/language.ts'
import { enteredText, faultOf, normalized, textOf, valueOf, type Values } from './field-values.ts'
import type { FormField } from './schema-form.ts'

/** Prefix of the hidden field with a field's value at the time when the page was rendered. */
const WAS = 'was.'

/** Returns hidden fields with the original values, to find out later what the user changed. */
export const originals = (fields: readonly FormField[], values: Values): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map((field) => [`${WAS}${field.name}`, textOf(field, values[field.name])]))

/** True if a form was rendered from exactly these values. */
export const wasMadeOf = (fields: readonly FormField[], form: URLSearchParams, values: Values): boolean =>
  fields.every(
    (field) =>
      normalized(form.get(`${WAS}${field.name}`) ?? '') === normalized(textOf(field, values[field.name])),
  )

export type Merged = Readonly<{
  /** Values to write, by field. */
  changes: Values
  /** Fields that are not written: the value is invalid, or another device saved a different one. */
  errors: FieldErrors
  /** Texts to show in the controls: the entered value, otherwise the stored one. */
  shown: Readonly<Record<string, string>>
}>

/**
 * Merges a form into the stored values, field by field. A field that the user did not change keeps a value that another
 * device saved in the meantime. A field that both changed is not written: the page shows both values, and saving again
 * writes the entered one.
 */
export const mergeForm = (
  language: Language,
  fields: readonly FormField[],
  form: URLSearchParams,
  stored: Values,
): Merged => {
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
    const fault = faultOf(language, field, entered)
    if (fault !== null) errors[name] = fault
    else if (normalized(now) !== was)
      errors[name] =
        now === '' ? language.text('fault.cleared') : language.text('fault.changed', { value: now })
    else changes[name] = valueOf(field, entered)
  }
  return { changes, errors, shown }
}
