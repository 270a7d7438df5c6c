import { form, html, notice, page, submit, type Html } from '../design/index.ts'
import {
  publicScreen,
  sessionScreen,
  SIGN_IN_PATHS,
  type Answer,
  type Screen,
  type ScreenRequest,
} from '../screen.ts'
import type { OpeningFault } from '../session.ts'
import { WEBHOOKS_PATH } from './frame.ts'

const BRAND = 'Webhook portal'

const NEW_LINK = html`A partner gets one from the support team of this platform. A merchant gets one there
  too, or makes one itself with its API key: <code>POST /api/user/portal-links</code>.`

/** The page of a link: looking at it, as previews of messages do, uses nothing up. */
const linkPage = (token: string): Html =>
  page({
    title: BRAND,
    brand: BRAND,
    width: 'narrow',
    main: html`<h1>Webhook portal</h1>
      <p>Here you see which events were sent to your receivers, why one failed, and send them again.</p>
      ${form({ action: `/portal/${token}` }, html`<p class="actions">${submit('Open the portal')}</p>`)}
      <p class="hint">
        The link works once, and signs this browser in for 8 hours. Do not open it on a computer that is not
        yours.
      </p>`,
  })

const FAULTS: Readonly<Record<OpeningFault, readonly [status: number, title: string, advice: Html]>> = {
  refused: [
    410,
    'This link opens nothing any more',
    html`A link works once, and for 15 minutes. Ask for a new one. ${NEW_LINK}`,
  ],
  rate_limited: [
    429,
    'Too many links were tried',
    html`Too many that open nothing came from your address. Wait a minute, then open your link again.`,
  ],
}

const faultPage = (fault: OpeningFault): Answer => {
  const [status, title, advice] = FAULTS[fault]
  return {
    kind: 'page',
    status,
    html: page({
      title: `${title} · ${BRAND}`,
      brand: BRAND,
      width: 'narrow',
      main: html`<h1>${title}</h1>
        ${notice('bad', 'You are not signed in.', advice)}`,
    }),
  }
}

const signInPage = (): Html =>
  page({
    title: `Sign in · ${BRAND}`,
    brand: BRAND,
    width: 'narrow',
    main: html`<h1>Sign in by a link</h1>
      ${notice('neutral', 'You are not signed in, or your 8 hours are over.', html`Open a new link. ${NEW_LINK}`)}`,
  })

const openLink = async ({ params, open }: ScreenRequest): Promise<Answer> => {
  const opened = await open.portalLink(params['token'] ?? '')
  return typeof opened === 'string'
    ? faultPage(opened)
    : { kind: 'redirect', to: WEBHOOKS_PATH, session: { area: 'portal', opened } }
}

/** The ways into the portal and out of it (decisions §22, §42). */
export const entryScreens: readonly Screen[] = [
  publicScreen({
    method: 'GET',
    path: '/portal/:token',
    answer: ({ params }) =>
      Promise.resolve({ kind: 'page', status: 200, html: linkPage(params['token'] ?? '') }),
  }),
  publicScreen({ method: 'POST', path: '/portal/:token', answer: openLink }),
  publicScreen({
    method: 'GET',
    path: SIGN_IN_PATHS.portal,
    answer: () => Promise.resolve({ kind: 'page', status: 200, html: signInPage() }),
  }),
  sessionScreen('portal', {
    method: 'POST',
    path: '/portal/sign-out',
    answer: () =>
      Promise.resolve({
        kind: 'redirect',
        to: SIGN_IN_PATHS.portal,
        session: { area: 'portal', opened: null },
      }),
  }),
]
