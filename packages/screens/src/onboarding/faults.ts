import type { ErrorDetail } from '@causeway/contracts'
import type { FieldErrors } from '../design/index.ts'
import type { Language } from '../languages/language.ts'
import { fieldLabel } from './labels.ts'
import type { FormField } from './schema-form.ts'

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Returns what to enter in a field that is missing or invalid. */
const adviceFor = (
  language: Language,
  group: string,
  { name, kind }: FormField,
  isBlank: boolean,
): string => {
  const { text, tag } = language
  const title = fieldLabel(language, group, name)
  // Only in English does a label begin with a small letter within a sentence: German nouns keep theirs.
  const label = tag === 'en' ? lowerFirst(title) : title
  if (isBlank)
    return text(kind === 'choice' || kind === 'choices' ? 'fault.blankChoice' : 'fault.blank', { label })
  if (name === 'email') return text('fault.email', { example: 'name@example.com' })
  if (name === 'website') return text('fault.website')
  return name.startsWith('date_') || name.endsWith('_date')
    ? text('fault.date', { example: '2019-04-30' })
    : text('fault.correct', { label })
}

/** Returns errors for stored fields that submission still needs (decisions §7). @param prefix of the page's paths */
export const incompleteErrors = (
  language: Language,
  group: string,
  fields: readonly FormField[],
  texts: Readonly<Record<string, string>>,
  missing: readonly string[],
  prefix: string,
): FieldErrors =>
  Object.fromEntries(
    fields
      .filter(({ name }) => missing.includes(`${prefix}.${name}`))
      .map((field) => [field.name, adviceFor(language, group, field, (texts[field.name] ?? '') === '')]),
  )

/** Returns the errors of a refused write, by field name. */
export const refusalErrors = (
  { text }: Language,
  details: readonly ErrorDetail[],
  prefix: string,
): Record<string, string> =>
  Object.fromEntries(
    details.flatMap((detail) => {
      const { field: path } = detail
      return typeof path === 'string' && path.startsWith(`${prefix}.`)
        ? [[path.slice(prefix.length + 1).split('.')[0] ?? '', text('fault.value')]]
        : []
    }),
  )
