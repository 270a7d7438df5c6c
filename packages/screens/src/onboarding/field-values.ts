import type { Language } from '../languages/language.ts'
import type { FormField } from './schema-form.ts'

/** Values of a group, or of a person, by the names of its fields. */
export type Values = Readonly<Record<string, unknown>>

/** Converts a value to the text in its control; empty for no value. */
export const textOf = ({ kind, options }: FormField, value: unknown): string => {
  if (kind === 'choices')
    return options.filter((option) => Array.isArray(value) && value.includes(option)).join(',')
  if (kind === 'flag') return value === true ? 'true' : ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Removes line breaks and outer spaces, which single-line controls do not preserve. */
export const normalized = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ').trim()

/** Reads a field from a form in the format of {@link textOf}; null if the form does not have it. */
export const enteredText = ({ kind, name, options }: FormField, form: URLSearchParams): string | null => {
  if (kind === 'choices') {
    const chosen = form.getAll(name)
    return options.filter((option) => chosen.includes(option)).join(',')
  }
  if (kind === 'flag') return form.get(name) === 'true' ? 'true' : ''
  const text = form.get(name)
  return text === null ? null : normalized(text)
}

/** Converts a text to the value to write; null clears the field. */
export const valueOf = ({ kind }: FormField, text: string): unknown => {
  if (kind === 'choices') return text === '' ? [] : text.split(',')
  if (kind === 'flag') return text === 'true'
  if (text === '') return null
  return kind === 'number' ? Number(text.replace(',', '.')) : text
}

/** Returns why a text cannot be stored, or null if it can. */
export const faultOf = (language: Language, field: FormField, text: string): string | null => {
  if (text === '') return null
  switch (field.kind) {
    case 'choice':
      return field.options.includes(text) ? null : language.text('fault.option')
    case 'number': {
      const number = valueOf(field, text) as number
      if (!Number.isFinite(number)) return language.text('fault.number', { example: language.number(33.5) })
      return number < field.minimum || number > field.maximum
        ? language.text('fault.range', { minimum: field.minimum, maximum: field.maximum })
        : null
    }
    case 'text':
      return Array.from(text).length > field.maxLength
        ? language.text('fault.length', { most: field.maxLength })
        : null
    case 'choices':
    case 'flag':
      return null
  }
}
