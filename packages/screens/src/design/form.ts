import { ENGLISH, type Language } from '../languages/language.ts'
import { EMPTY, html, type Html } from './html.ts'

/** Errors by field name: each a sentence that says what to enter. */
export type FieldErrors = Readonly<Record<string, string>>

type Common = Readonly<{
  name: string
  /** Set it when two forms on a page have a field of the same name; defaults to the name. */
  id?: string
  label: string
  hint?: string
  error?: string | undefined
  isRequired?: boolean
  /** English if left out. */
  language?: Language
}>

export type TextField = Common &
  Readonly<{
    value?: string
    type?: 'text' | 'email' | 'url' | 'tel' | 'date' | 'password' | 'file'
    autocomplete?: string
    inputmode?: 'text' | 'numeric' | 'decimal' | 'email' | 'tel' | 'url'
    /** Allowed file types, in the format of the HTML attribute. */
    accept?: string
  }>
export type SelectField = Common &
  Readonly<{ value?: string; options: readonly Readonly<{ value: string; text: string }>[] }>

const idOf = ({ name, id = name }: Pick<Common, 'name' | 'id'>) => `field-${id}`

/** Ids of the hint and the error that describe a field, for screen readers. */
const describedBy = (field: Common): string =>
  [field.hint !== undefined && `${idOf(field)}-hint`, field.error !== undefined && `${idOf(field)}-error`]
    .filter((id) => id !== false)
    .join(' ')

const stateOf = (field: Common): Html => html`
  aria-describedby="${describedBy(field)}" aria-invalid="${field.error === undefined ? 'false' : 'true'}"
  ${field.isRequired === true && html`required`}
`

/** Says that a field is optional. */
const optionalMark = ({ isRequired, language = ENGLISH }: Common): Html =>
  isRequired === true ? EMPTY : html` <span class="hint">${language.text('field.optional')}</span>`

/**
 * Wraps a control in its label, hint and error; the error is placed between the label and the control.
 * @param unit follows the label's text
 */
const labelled = (field: Common, control: Html, unit: Html = EMPTY): Html => {
  const { label, hint, error } = field
  return html`<div class="field">
    <label for="${idOf(field)}">${label}${unit}${optionalMark(field)}</label>
    ${hint !== undefined && html`<span class="hint" id="${idOf(field)}-hint">${hint}</span>`}
    ${error !== undefined && html`<span class="error" id="${idOf(field)}-error">${error}</span>`} ${control}
  </div>`
}

export const textField = (field: TextField): Html =>
  labelled(
    field,
    html`<input
      id="${idOf(field)}"
      name="${field.name}"
      type="${field.type ?? 'text'}"
      value="${field.value ?? ''}"
      autocomplete="${field.autocomplete ?? 'off'}"
      ${field.inputmode !== undefined && html`inputmode="${field.inputmode}"`}
      ${field.accept !== undefined && html`accept="${field.accept}"`}
      ${stateOf(field)}
    />`,
  )

/** Characters of a time that a `datetime-local` field accepts; it has no zone. */
const FIELD_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?/

/**
 * A field for a time, which a form sends in UTC. With JavaScript, people enter it in their own zone and see UTC next to it.
 * @param field.value ISO 8601 in UTC, or what a person has entered
 */
export const timeField = (field: Common & Readonly<{ value?: string }>): Html => {
  const { value = '' } = field
  return labelled(
    field,
    html`<input
      id="${idOf(field)}"
      name="${field.name}"
      type="datetime-local"
      value="${FIELD_TIME.exec(value)?.[0] ?? value}"
      autocomplete="off"
      data-utc
      ${stateOf(field)}
    />`,
    html` <span data-zone>(UTC)</span>`,
  )
}

export const textArea = (field: Omit<TextField, 'type' | 'inputmode'>): Html =>
  labelled(
    field,
    html`<textarea id="${idOf(field)}" name="${field.name}" rows="4" ${stateOf(field)}>
${field.value ?? ''}</textarea>`,
  )

export const selectField = (field: SelectField): Html =>
  labelled(
    field,
    html`<select id="${idOf(field)}" name="${field.name}" ${stateOf(field)}>
      ${field.options.map(
        ({ value, text }) =>
          html`<option value="${value}" ${value === field.value && html`selected`}>${text}</option>`,
      )}
    </select>`,
  )

export const checkbox = (field: Common & Readonly<{ isChecked?: boolean }>): Html => html`
  <div class="field check">
    <input
      type="checkbox"
      id="${idOf(field)}"
      name="${field.name}"
      value="true"
      ${field.isChecked === true && html`checked`}
      ${stateOf(field)}
    />
    <label for="${idOf(field)}">${field.label}</label>
    ${field.hint !== undefined && html`<span class="hint" id="${idOf(field)}-hint">${field.hint}</span>`}
    ${field.error !== undefined && html`<span class="error" id="${idOf(field)}-error">${field.error}</span>`}
  </div>
`

/** A group of checkboxes. @param values the checked options */
export const checkboxes = (
  field: Common & Readonly<{ values: readonly string[]; options: SelectField['options'] }>,
): Html => {
  const { name, label, hint, error, values, options } = field
  return html`<fieldset
    class="field"
    id="${idOf(field)}"
    tabindex="-1"
    aria-describedby="${describedBy(field)}"
  >
    <legend>${label}${optionalMark(field)}</legend>
    ${hint !== undefined && html`<span class="hint" id="${idOf(field)}-hint">${hint}</span>`}
    ${error !== undefined && html`<span class="error" id="${idOf(field)}-error">${error}</span>`}
    ${options.map(
      ({ value, text }) =>
        html`<div class="check">
          <input
            type="checkbox"
            id="${idOf(field)}-${value}"
            name="${name}"
            value="${value}"
            ${values.includes(value) && html`checked`}
          />
          <label for="${idOf(field)}-${value}">${text}</label>
        </div>`,
    )}
  </fieldset>`
}

/** Lists all errors of a form with links to their fields. It receives the focus, and screen readers announce it. */
export const errorSummary = (
  errors: FieldErrors,
  title = 'Nothing was saved. Correct these errors:',
): Html => {
  const entries = Object.entries(errors)
  if (entries.length === 0) return EMPTY
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus>
    <p class="title">${title}</p>
    <ul>
      ${entries.map(([name, error]) => html`<li><a href="#${idOf({ name })}">${error}</a></li>`)}
    </ul>
  </div>`
}

type FormAddress = Readonly<{
  action: string
  /** Fields that are not shown, such as the form's token. */
  hidden?: Readonly<Record<string, string>>
  /** True for a form with a file upload. */
  hasFile?: boolean
  /** Name by which the page's script finds the form. */
  use?: string
  /** Id by which fields outside the form belong to it. */
  id?: string
}>

/**
 * A form that posts to the server and works without JavaScript. Autocomplete is off, so that a browser that returns to
 * the page shows the server's values; single fields can turn it on.
 */
export const form = ({ action, hidden = {}, hasFile = false, use, id }: FormAddress, content: Html): Html => {
  const encoding = hasFile && html`enctype="multipart/form-data"`
  const purpose = use !== undefined && html`data-use="${use}"`
  const name = id !== undefined && html`id="${id}"`
  return html`<form
    method="post"
    action="${action}"
    autocomplete="off"
    ${name}
    ${encoding}
    ${purpose}
    novalidate
  >
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${content}
  </form>`
}

/** A form that filters a list by GET, so that the result can be bookmarked. */
export const filterForm = (action: string, content: Html): Html =>
  html`<form method="get" action="${action}" class="filters" role="search">${content}</form>`

/** A form that opens a page by GET with the entered values, such as a confirmation page. */
export const queryForm = (action: string, content: Html): Html =>
  html`<form method="get" action="${action}" autocomplete="off" novalidate>${content}</form>`
