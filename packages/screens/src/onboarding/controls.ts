import {
  checkbox,
  checkboxes,
  html,
  selectField,
  textField,
  type FieldErrors,
  type Html,
} from '../design/index.ts'
import type { Language } from '../languages/language.ts'
import { fieldHint, fieldLabel, optionText } from './labels.ts'
import type { FormField } from './schema-form.ts'

const DATE_NAME = /(^date_|_date$)/
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/

/** A date that the partner wrote in a different format needs a text control: a date control would be empty. */
const inputOf = (name: string, text: string) => {
  if (DATE_NAME.test(name)) return text === '' || ISO_DATE.test(text) ? ({ type: 'date' } as const) : {}
  // Controls of type email and url alter the input; `inputmode` only selects the on-screen keyboard.
  if (name === 'email') return { inputmode: 'email' } as const
  if (name === 'phone') return { inputmode: 'tel' } as const
  return name === 'website' ? ({ inputmode: 'url' } as const) : {}
}

const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  'business.legal_name': 'organization',
  'business.website': 'url',
  'registered_address.line1': 'address-line1',
  'registered_address.line2': 'address-line2',
  'registered_address.city': 'address-level2',
  'registered_address.postal_code': 'postal-code',
  'registered_address.country': 'country',
  'contact.first_name': 'given-name',
  'contact.last_name': 'family-name',
  'contact.email': 'email',
  'contact.phone': 'tel',
}

const optionsOf = (language: Language, { options }: FormField) =>
  options.map((value) => ({ value, text: optionText(language, value) }))

const MANY = 50

/** Renders the control of a field. @param group a group of the schema, or `person`; @param text as `textOf` gives it */
const control = (
  language: Language,
  group: string,
  field: FormField,
  text: string,
  error: string | undefined,
): Html => {
  const { name, kind, isRequired } = field
  const hint = fieldHint(language, group, name)
  const common = {
    name,
    label: fieldLabel(language, group, name),
    ...(hint !== undefined && { hint }),
    error,
    isRequired,
    language,
  }
  switch (kind) {
    case 'choice': {
      const options = optionsOf(language, field)
      const sorted =
        options.length > MANY ? options.toSorted((a, b) => language.compare(a.text, b.text)) : options
      return selectField({
        ...common,
        value: text,
        options: [{ value: '', text: language.text('field.choose') }, ...sorted],
      })
    }
    case 'choices':
      return checkboxes({ ...common, values: text.split(','), options: optionsOf(language, field) })
    case 'flag':
      return checkbox({ ...common, isChecked: text === 'true' })
    case 'text':
    case 'number':
      return textField({
        ...common,
        value: text,
        ...(kind === 'number' ? { inputmode: 'decimal' } : inputOf(name, text)),
        autocomplete: AUTOCOMPLETE[`${group}.${name}`] ?? 'off',
      })
  }
}

/** Renders the controls of a page. @param texts by field, as `textOf` gives them */
export const controls = (
  language: Language,
  group: string,
  fields: readonly FormField[],
  texts: Readonly<Record<string, string>>,
  errors: FieldErrors,
): Html =>
  html`${fields.map((field) => control(language, group, field, texts[field.name] ?? '', errors[field.name]))}`
