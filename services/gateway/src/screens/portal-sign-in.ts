import {
  acceptedInvitationPage,
  chooseMembershipPage,
  endedInvitationPage,
  invitationPage,
  portalSignInPage,
  signInFaultPage,
  signInSentPage,
  SIGN_IN_PATHS,
  SIGN_IN_SENT_PATH,
  type Answer,
  type PortalSignInFault,
} from '@causeway/screens'
import { EmailAddress } from '@causeway/contracts'
import type { BrowserCookie } from '../auth/browser-cookie.ts'
import type { SecurityLog } from '../auth/security-log.ts'
import type { PortalPeople } from '../clients/portal-people.ts'
import type { Sessions } from '../clients/sessions.ts'
import { send } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { PublicRoute } from '../http/public-path.ts'
import { SCREEN_SECURITY } from '../http/security-headers.ts'
import type { GuessLimit } from '../rate-limits/guess-limit.ts'
import { isFromElsewhere, readForm } from './posted-form.ts'
import { sendAnswer, type Sending } from './send-answer.ts'
import { staleForm } from './session.ts'

export type PortalSignInOptions = Sending &
  Readonly<{
    portalPeople: PortalPeople
    sessions: Pick<Sessions, 'end'>
    browserCookie: BrowserCookie
    guesses: GuessLimit
    /** Requests for links by the caller's address. */
    linkRequests: GuessLimit
    security: SecurityLog
  }>

type Handle = (exchange: Exchange, values: readonly string[]) => Promise<void>
type Html = Extract<Answer, { kind: 'page' }>['html']

const STATUS: Readonly<Record<PortalSignInFault, number>> = {
  refused: 410,
  other_browser: 403,
  rate_limited: 429,
}

const pageOf = (html: Html, status = 200): Answer => ({ kind: 'page', status, html })

const redirect = (exchange: Exchange, to: string, cookies: readonly string[]): void =>
  send(exchange, {
    status: 303,
    type: 'text/plain; charset=utf-8',
    bytes: '',
    headers: [
      'Location',
      to,
      'Cache-Control',
      'no-store',
      ...cookies.flatMap((cookie) => ['Set-Cookie', cookie]),
    ],
    security: SCREEN_SECURITY,
  })

/** Counts an invalid link as a failed credential of the caller's address. */
const refuseToken = (
  { guesses, security }: PortalSignInOptions,
  exchange: Exchange,
  kind: 'sign_in_link' | 'invitation',
): 'rate_limited' | null => {
  const limited = guesses.recordFailure(exchange.request) !== null
  security.refused(exchange, { kind, reason: 'unknown', limited })
  return limited ? 'rate_limited' : null
}

const faultAnswer = (
  options: PortalSignInOptions,
  exchange: Exchange,
  fault: 'refused' | 'other_browser',
) => {
  const shown = fault === 'refused' ? (refuseToken(options, exchange, 'sign_in_link') ?? fault) : fault
  return pageOf(signInFaultPage(shown), STATUS[shown])
}

const showSignIn = async (options: PortalSignInOptions): Promise<Answer> =>
  pageOf(portalSignInPage(await options.portalPeople.sendsMail()))

/** Records a request for a link. The answer is the same for every address that has the form of one. */
async function requestLink(
  options: PortalSignInOptions,
  exchange: Exchange,
  form: URLSearchParams,
): Promise<void> {
  const { portalPeople, browserCookie, linkRequests } = options
  const email = (form.get('email') ?? '').trim()
  if (!EmailAddress.safeParse(email).success) {
    const error = 'Enter an e-mail address, such as name@example.com.'
    sendAnswer(exchange, pageOf(portalSignInPage(true, { email, error }), 400), options)
    return
  }
  if (linkRequests.recordFailure(exchange.request) !== null) {
    sendAnswer(exchange, pageOf(signInFaultPage('rate_limited'), STATUS.rate_limited), options)
    return
  }
  const { token, setCookie } = browserCookie.keep(exchange.request)
  if (await portalPeople.request(email, token)) redirect(exchange, SIGN_IN_SENT_PATH, [setCookie])
  else sendAnswer(exchange, pageOf(portalSignInPage(false), 409), options)
}

async function showLink(options: PortalSignInOptions, exchange: Exchange, token: string): Promise<Answer> {
  const browser = options.browserCookie.tokenOf(exchange.request)
  const found = await options.portalPeople.listMemberships({ token, browser })
  return typeof found === 'string'
    ? faultAnswer(options, exchange, found)
    : pageOf(chooseMembershipPage(token, found))
}

/** Opens the session of a membership: always a new one; the session that the browser had ends. */
async function openLink(
  options: PortalSignInOptions,
  exchange: Exchange,
  { token, personId }: Readonly<{ token: string; personId: string }>,
): Promise<void> {
  const { portalPeople, sessions, cookies, browserCookie } = options
  const { token: browser, setCookie } = browserCookie.keep(exchange.request)
  const opened = await portalPeople.open({ token, browser }, personId)
  if (typeof opened === 'string') {
    sendAnswer(exchange, faultAnswer(options, exchange, opened), options)
    return
  }
  const former = cookies.tokenOf(exchange.request, 'portal')
  if (former !== null) await sessions.end(former, 'new_sign_in')
  redirect(exchange, '/portal', [cookies.setCookie({ area: 'portal', opened }), setCookie])
}

const invalidInvitation = (options: PortalSignInOptions, exchange: Exchange): Answer =>
  refuseToken(options, exchange, 'invitation') === null
    ? pageOf(endedInvitationPage(), 410)
    : pageOf(signInFaultPage('rate_limited'), STATUS.rate_limited)

/**
 * Signing in to the portal by e-mail, and accepting an invitation (decisions §56). No path leads back to a page that a
 * caller names, so that no link of the platform redirects elsewhere.
 */
export const portalSignInRoutes = (options: PortalSignInOptions): PublicRoute[] => {
  const { portalPeople } = options
  const route = (method: 'GET' | 'POST', path: string, handle: Handle): PublicRoute => ({
    kind: 'public',
    method,
    path,
    handle,
  })
  const show = (path: string, answer: (exchange: Exchange, token: string) => Promise<Answer>) =>
    route('GET', path, async (exchange, [token = '']) =>
      sendAnswer(exchange, await answer(exchange, token), options),
    )
  const post = (
    path: string,
    handle: (exchange: Exchange, form: URLSearchParams, token: string) => Promise<void>,
  ) =>
    route('POST', path, async (exchange, [token = '']) => {
      if (isFromElsewhere(exchange.request)) {
        sendAnswer(exchange, staleForm(), options)
        return
      }
      const form = await readForm(exchange)
      if (form !== null) await handle(exchange, form, token)
    })
  return [
    show(SIGN_IN_PATHS.portal, () => showSignIn(options)),
    post(SIGN_IN_PATHS.portal, (exchange, form) => requestLink(options, exchange, form)),
    show(SIGN_IN_SENT_PATH, () => Promise.resolve(pageOf(signInSentPage()))),
    show(`${SIGN_IN_PATHS.portal}/:token`, (exchange, token) => showLink(options, exchange, token)),
    post(`${SIGN_IN_PATHS.portal}/:token`, (exchange, form, token) =>
      openLink(options, exchange, { token, personId: form.get('person_id') ?? '' }),
    ),
    show('/portal/invitations/:token', async (exchange, token) => {
      const found = await portalPeople.getInvitation(token)
      return found === null ? invalidInvitation(options, exchange) : pageOf(invitationPage(token, found))
    }),
    post('/portal/invitations/:token', async (exchange, _form, token) => {
      const accepted = await portalPeople.acceptInvitation(token)
      const answer =
        accepted === null ? invalidInvitation(options, exchange) : pageOf(acceptedInvitationPage(accepted))
      sendAnswer(exchange, answer, options)
    }),
  ]
}
