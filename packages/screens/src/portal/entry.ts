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
import { PORTAL_BRAND, WEBHOOKS_PATH } from './frame.ts'

const NEW_LINK = html`Partners and merchants get a link from the support team of this platform. Merchants can
  also create one with their API key: <code>POST /api/user/portal-links</code>.`

/** Renders the page of a link. Opening it does not use up the link, because message previews open it too. */
const linkPage = (token: string): Html =>
  page({
    title: PORTAL_BRAND,
    brand: PORTAL_BRAND,
    width: 'narrow',
    main: html`<h1>Portal</h1>
      <p>
        See your balances and payouts, and which events were sent to your webhook endpoints. Find out why one
        failed, and resend it.
      </p>
      ${form({ action: `/portal/${token}` }, html`<p class="actions">${submit('Open the portal')}</p>`)}
      <p class="hint">
        The link works once and signs this browser in for 8 hours. Do not open it on a shared computer.
      </p>`,
  })

const FAULTS: Readonly<Record<OpeningFault, readonly [status: number, title: string, advice: Html]>> = {
  refused: [
    410,
    'This link is no longer valid',
    html`A link works once and expires after 15 minutes. Ask for a new one. ${NEW_LINK}`,
  ],
  rate_limited: [
    429,
    'Too many invalid links',
    html`Your IP address tried too many invalid links. Wait a minute, then open your link again.`,
  ],
}

const faultPage = (fault: OpeningFault): Answer => {
  const [status, title, advice] = FAULTS[fault]
  return {
    kind: 'page',
    status,
    html: page({
      title: `${title} · ${PORTAL_BRAND}`,
      brand: PORTAL_BRAND,
      width: 'narrow',
      main: html`<h1>${title}</h1>
        ${notice('bad', 'You are not signed in.', advice)}`,
    }),
  }
}

const openLink = async ({ params, open }: ScreenRequest): Promise<Answer> => {
  const opened = await open.portalLink(params['token'] ?? '')
  return typeof opened === 'string'
    ? faultPage(opened)
    : { kind: 'redirect', to: WEBHOOKS_PATH, session: { area: 'portal', opened } }
}

/** Signing in to the portal by a link of staff or the API, and out of it (decisions §22, §42). */
export const entryScreens: readonly Screen[] = [
  publicScreen({
    method: 'GET',
    path: '/portal/:token',
    answer: ({ params }) =>
      Promise.resolve({ kind: 'page', status: 200, html: linkPage(params['token'] ?? '') }),
  }),
  publicScreen({ method: 'POST', path: '/portal/:token', answer: openLink }),
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
