import { errorSummary, form, html, page, submit, textField, type Html } from '../design/index.ts'
import { publicScreen, sessionScreen, type Answer, type Screen, type ScreenRequest } from '../screen.ts'
import type { OpeningFault } from '../session.ts'

const PATH = '/console/sign-in'

const FAULTS: Readonly<Record<OpeningFault, string>> = {
  refused: 'This key opens nothing. Check that you copied all of it, and that it was not revoked.',
  rate_limited: 'There were too many wrong keys from your address. Wait a minute, then try again.',
}

const signInPage = (fault?: OpeningFault): Html => {
  const errors: Readonly<Record<string, string>> = fault === undefined ? {} : { key: FAULTS[fault] }
  return page({
    title: fault === undefined ? 'Sign in · Causeway console' : 'Error: Sign in · Causeway console',
    brand: 'Causeway console',
    width: 'narrow',
    main: html`<h1>Sign in</h1>
      ${form(
        { action: PATH },
        html`${errorSummary(errors, 'You are not signed in:')}
          ${textField({
            name: 'key',
            label: 'Staff key',
            hint: 'Begins with staff_, or is the key of the operator',
            type: 'password',
            isRequired: true,
            error: errors['key'],
          })}
          <p class="actions">${submit('Sign in')}</p>`,
      )}`,
  })
}

const signIn = async ({ form: fields, open }: ScreenRequest): Promise<Answer> => {
  const opened = await open.staffKey(fields.get('key')?.trim() ?? '')
  if (typeof opened !== 'string')
    return { kind: 'redirect', to: '/console', session: { area: 'console', opened } }
  return { kind: 'page', status: opened === 'rate_limited' ? 429 : 401, html: signInPage(opened) }
}

/** The way into the console and out of it (decisions §22). */
export const signInScreens: readonly Screen[] = [
  publicScreen({
    method: 'GET',
    path: PATH,
    answer: () => Promise.resolve({ kind: 'page', status: 200, html: signInPage() }),
  }),
  publicScreen({ method: 'POST', path: PATH, answer: signIn }),
  sessionScreen('console', {
    method: 'POST',
    path: '/console/sign-out',
    answer: () => Promise.resolve({ kind: 'redirect', to: PATH, session: { area: 'console', opened: null } }),
  }),
]
