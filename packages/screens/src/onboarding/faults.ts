import type { ErrorDetail } from '@causeway/contracts'
import type { FieldErrors } from '../design/index.ts'
import { fieldLabel } from './labels.ts'
import type { FormField } from './schema-form.ts'

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Returns what to enter in a field that is missing or invalid. */
const adviceFor = (group: string, { name, kind }: FormField, isBlank: boolean): string => {
  const label = lowerFirst(fieldLabel(group, name))
  if (isBlank) return kind === 'choice' || kind === 'choices' ? `Choose: ${label}.` : `Enter: ${label}.`
  if (name === 'email') return 'Enter an e-mail address, such as name@example.com.'
  if (name === 'website') return 'Enter a web address that begins with https:// or http://.'
  return name.startsWith('date_') || name.endsWith('_date')
    ? 'Enter a past date in the form YYYY-MM-DD, such as 2019-04-30.'
    : `Correct: ${label}.`
}

/** Returns errors for stored fields that submission still needs (decisions §7). @param prefix of the page's paths */
export const incompleteErrors = (
  group: string,
  fields: readonly FormField[],
  texts: Readonly<Record<string, string>>,
  missing: readonly string[],
  prefix: string,
): FieldErrors =>
  Object.fromEntries(
    fields
      .filter(({ name }) => missing.includes(`${prefix}.${name}`))
      .map((field) => [field.name, adviceFor(group, field, (texts[field.name] ?? '') === '')]),
  )

/** Returns the errors of a refused write, by field name. */
export const refusalErrors = (details: readonly ErrorDetail[], prefix: string): Record<string, string> =>
  Object.fromEntries(
    details.flatMap((detail) => {
      const { field: path } = detail
      return typeof path === 'string' && path.startsWith(`${prefix}.`)
        ? [
            [
              path.slice(prefix.length + 1).split('.')[0] ?? '',
              'This value cannot be saved. Enter it in a different form.',
            ],
          ]
        : []
    }),
  )
