import { html, submit, textField, type Html } from '../../../design/index.ts'

export const SEARCH_PATH = '/console/search'

/** Asks for anything by whatever is known of it. */
export const searchForm = (value: string): Html =>
  html`<form method="get" action="${SEARCH_PATH}" role="search">
    ${textField({
      name: 'q',
      label: 'Find',
      hint: 'An id, an order key, an e-mail address, a reference, a crypto address or a transaction',
      value,
      isRequired: true,
    })}
    <p class="actions">${submit('Find', 'quiet')}</p>
  </form>`
