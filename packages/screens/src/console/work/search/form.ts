import { html, submit, textField, type Html } from '../../../design/index.ts'
import { consoleForm, type StaffSession } from '../../frame.ts'

export const SEARCH_PATH = '/console/search'

/** Renders the search form. It posts, so that e-mail addresses appear in no URL and no log. */
export const searchForm = (session: StaffSession, value: string): Html =>
  consoleForm(
    session,
    SEARCH_PATH,
    html`${textField({
        name: 'q',
        label: 'Find',
        hint: 'A customer’s name or e-mail address, an id, an order key, a reference, a crypto address or a transaction',
        value,
        isRequired: true,
      })}
      <p class="actions">${submit('Find', 'quiet')}</p>`,
  )
