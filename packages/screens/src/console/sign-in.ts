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

/** Reason why the identity provider's response opened no session. */
type ProviderFault = 'unavailable' | 'refused' | 'no_role' | 'rate_limited'

export type SignIn = Readonly<{
  /** True if staff sign in through an identity provider; staff keys are then refused here. */
  hasProvider: boolean
  keyFault?: OpeningFault
  providerFault?: ProviderFault
}>

const KEY_FAULTS: Readonly<Record<OpeningFault, string>> = {
  refused: 'This key is not valid. Check that you copied all of it, and that it was not revoked.',
  rate_limited: 'Too many invalid keys from your IP address. Wait a minute, then try again.',
}
const OPERATOR_KEY_FAULT = 'Only the operator key is accepted here. Sign in with your organisation.'

const PROVIDER_FAULTS: Readonly<Record<ProviderFault, readonly [title: string, advice: string]>> = {
  unavailable: [
    'Your organisation’s sign-in is unavailable.',
    'Try again in a moment. If it stays unavailable, the operator of the platform can sign in with the operator key.',
  ],
  refused: [
    'You are not signed in.',
    'The response of your organisation’s sign-in is not valid for this browser, or arrived too late. Start again here.',
  ],
  no_role: [
    'You do not have a role here.',
    'Your organisation has not given you a role (viewer, reviewer, finance or admin). Ask the person who manages roles.',
  ],
  rate_limited: ['Too many failed sign-ins from your IP address.', 'Wait a minute, then try again.'],
}

const keyForm = ({ hasProvider, keyFault }: SignIn): Html => {
  const refused = hasProvider ? OPERATOR_KEY_FAULT : KEY_FAULTS.refused
  const error = keyFault === 'refused' ? refused : keyFault && KEY_FAULTS[keyFault]
  return form(
    { action: PATH },
    html`${error !== undefined && errorSummary({ key: error }, 'You are not signed in:')}
      ${textField({
        name: 'key',
        label: hasProvider ? 'Operator key' : 'Staff key',
        hint: hasProvider
          ? 'The value of the setting OPERATOR_API_KEY. The audit log records its use.'
          : 'Begins with staff_, or is the operator key',
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

/** Renders the sign-in page: identity provider with the operator key for emergencies, or keys only. */
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

/** Signing in to the console and out of it (decisions §22). */
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
