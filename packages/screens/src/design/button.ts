import { ENGLISH, type Language } from '../languages/language.ts'
import { html, type Html, type Part } from './html.ts'

type Look = 'primary' | 'quiet' | 'danger'

/** A button that submits its form. */
export const submit = (text: string, look: Look = 'primary'): Html =>
  html`<button class="${look}" type="submit">${text}</button>`

const NEXT = 'next'

/** A second button of a form, which submits it and asks for the next item of the queue. */
export const submitAndNext = (text: string, look: Look = 'primary'): Html =>
  html`<button class="${look}" type="submit" name="${NEXT}" value="true">${text}</button>`

/** True if a form was submitted by {@link submitAndNext}. */
export const wantsNext = (form: URLSearchParams): boolean => form.get(NEXT) === 'true'

/** A link that looks like a button. It only navigates. */
export const linkButton = (href: string, text: string, look: Look = 'primary'): Html =>
  html`<a class="button ${look}" href="${href}">${text}</a>`

/**
 * A text with a button that copies it. Without JavaScript the button is hidden, and one click selects the whole text.
 * @param label of the button for screen readers: "Copy the address"
 */
export const copyable = (text: string, label: string, language: Language = ENGLISH): Html => html`
  <span class="copyable">
    <code dir="ltr">${text}</code>
    <button class="quiet copy" type="button" data-copy="${text}" aria-label="${label}" hidden>
      ${language.text('button.copy')}
    </button>
  </span>
`

/** A button and the dialog that it opens, for actions that need a confirmation. */
export const dialogButton = (
  {
    id,
    text,
    title,
    look = 'primary',
    isOpen = false,
  }: Readonly<{ id: string; text: string; title: string; look?: Look; isOpen?: boolean }>,
  content: Part,
): Html => html`
  <button class="${look}" type="button" commandfor="${id}" command="show-modal">${text}</button>
  <dialog id="${id}" aria-labelledby="${id}-title" ${isOpen && html`open`}>
    <h2 id="${id}-title">${title}</h2>
    ${content}
    <form method="dialog"><button class="quiet" type="submit">Cancel</button></form>
  </dialog>
`
