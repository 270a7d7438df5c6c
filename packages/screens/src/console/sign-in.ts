import {
  errorSummary,
  form,
  html,
  linkButton,
  notice,
  page,
  submit,
  textField,
  type Html,
} from '../design/index.ts'
import { publicScreen, sessionScreen, type Answer, type Screen, type ScreenRequest } from '../screen.ts'
import type { OpeningFault } from '../session.ts'

const PATH = '/console/sign-in'

/** Why the identity provider's answer opened no session. */
type ProviderFault = 'unavailable' | 'refused' | 'no_role' | 'rate_limited'

export type SignIn = Readonly<{
  /** Whether people sign in at an identity provider; keys of staff then open nothing here. */
  hasProvider: boolean
  keyFault?: OpeningFault
  providerFault?: ProviderFault
}>

const KEY_FAULTS: Readonly<Record<OpeningFault, string>> = {
  refused: 'This key opens nothing. Check that you copied all of it, and that it was not revoked.',
  rate_limited: 'There were too many wrong keys from your address. Wait a minute, then try again.',
}
const OPERATOR_KEY_FAULT =
  'Only the key of the operator opens the console here. Sign in with your organisation.'

const PROVIDER_FAULTS: Readonly<Record<ProviderFault, readonly [title: string, advice: string]>> = {
  unavailable: [
    'Your organisation’s sign-in does not answer.',
    'Try again in a moment. If it stays so, whoever runs the platform can sign in with the key of the operator.',
  ],
  refused: [
    'You are not signed in.',
    'The answer of your organisation’s sign-in does not fit to this browser, or came too late. Start again here.',
  ],
  no_role: [
    'You have no role here.',
    'Your organisation knows you, but has given you none of the roles viewer, reviewer, finance or admin. Ask who manages them.',
  ],
  rate_limited: ['There were too many failed sign-ins from your address.', 'Wait a minute, then try again.'],
}

const keyForm = ({ hasProvider, keyFault }: SignIn): Html => {
  const refused = hasProvider ? OPERATOR_KEY_FAULT : KEY_FAULTS.refused
  const error = keyFault === 'refused' ? refused : keyFault && KEY_FAULTS[keyFault]
  return form(
    { action: PATH },
    html`${error !== undefined && errorSummary({ key: error }, 'You are not signed in:')}
      ${textField({
        name: 'key',
        label: hasProvider ? 'Key of the operator' : 'Staff key',
        hint: hasProvider
          ? 'The setting OPERATOR_API_KEY; the audit log shows its use'
          : 'Begins with staff_, or is the key of the operator',
        type: 'password',
        isRequired: true,
        error,
      })}
      <p class="actions">${submit('Sign in', hasProvider ? 'quiet' : 'primary')}</p>`,
  )
}

const providerPart = (fault: ProviderFault | undefined): Html => {
  const texts = fault && PROVIDER_FAULTS[fault]
  return html`${texts !== undefined && notice('bad', texts[0], texts[1])}
    <p class="actions">${linkButton(`${PATH}/provider`, 'Sign in with your organisation')}</p>`
}

/** Where staff sign in: at their identity provider, with the operator's key for emergencies, or by keys. */
export const signInPage = (content: SignIn): Html => {
  const { hasProvider, keyFault, providerFault } = content
  const isFault = keyFault !== undefined || providerFault !== undefined
  return page({
    title: isFault ? 'Error: Sign in · Causeway console' : 'Sign in · Causeway console',
    brand: 'Causeway console',
    width: 'narrow',
    main: hasProvider
      ? html`<h1>Sign in</h1>
          ${providerPart(providerFault)}
          <section class="sheet" aria-labelledby="emergency">
            <h2 id="emergency">In an emergency</h2>
            ${keyForm(content)}
          </section>`
      : html`<h1>Sign in</h1>
          ${keyForm(content)}`,
  })
}

const signIn = async (hasProvider: boolean, { form: fields, open }: ScreenRequest): Promise<Answer> => {
  const opened = await open.staffKey(fields.get('key')?.trim() ?? '')
  if (typeof opened !== 'string')
    return { kind: 'redirect', to: '/console', session: { area: 'console', opened } }
  const status = opened === 'rate_limited' ? 429 : 401
  return { kind: 'page', status, html: signInPage({ hasProvider, keyFault: opened }) }
}

/** The way into the console and out of it (decisions §22). */
export const signInScreens = (hasProvider: boolean): readonly Screen[] => [
  publicScreen({
    method: 'GET',
    path: PATH,
    answer: () => Promise.resolve({ kind: 'page', status: 200, html: signInPage({ hasProvider }) }),
  }),
  publicScreen({ method: 'POST', path: PATH, answer: (request) => signIn(hasProvider, request) }),
  sessionScreen('console', {
    method: 'POST',
    path: '/console/sign-out',
    answer: () => Promise.resolve({ kind: 'redirect', to: PATH, session: { area: 'console', opened: null } }),
  }),
]
