import type { FormField } from './schema-form.ts'

/** Values of a group, or of a person, by the names of its fields. */
export type Values = Readonly<Record<string, unknown>>

/** A value as its control shows it and its form sends it: empty for none. */
export const textOf = ({ kind, options }: FormField, value: unknown): string => {
  if (kind === 'choices')
    return options.filter((option) => Array.isArray(value) && value.includes(option)).join(',')
  if (kind === 'flag') return value === true ? 'true' : ''
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Line ends and outer spaces do not survive a control of one line, so they make no difference. */
export const normalized = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ').trim()

/** What a form says of a field, as {@link textOf} would; null where the form has no such field. */
export const enteredText = ({ kind, name, options }: FormField, form: URLSearchParams): string | null => {
  if (kind === 'choices') {
    const chosen = form.getAll(name)
    return options.filter((option) => chosen.includes(option)).join(',')
  }
  if (kind === 'flag') return form.get(name) === 'true' ? 'true' : ''
  const text = form.get(name)
  return text === null ? null : normalized(text)
}

/** A text as the value that is written; null clears. */
export const valueOf = ({ kind }: FormField, text: string): unknown => {
  if (kind === 'choices') return text === '' ? [] : text.split(',')
  if (kind === 'flag') return text === 'true'
  if (text === '') return null
  return kind === 'number' ? Number(text.replace(',', '.')) : text
}

/** What keeps a text from being stored at all, in words; null for one that is. */
export const faultOf = (field: FormField, text: string): string | null => {
  if (text === '') return null
  switch (field.kind) {
    case 'choice':
      return field.options.includes(text) ? null : 'Choose one of the list.'
    case 'number': {
      const number = valueOf(field, text) as number
      if (!Number.isFinite(number)) return 'Enter a number, such as 25 or 33.5.'
      return number < field.minimum || number > field.maximum
        ? `Enter a number from ${field.minimum} to ${field.maximum}.`
        : null
    }
    case 'text':
      return Array.from(text).length > field.maxLength ? `Enter at most ${field.maxLength} characters.` : null
    case 'choices':
    case 'flag':
      return null
  }
}
