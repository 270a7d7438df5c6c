import { signInPage } from '@causeway/screens'
import { SIGN_IN_CALLBACK_PATH, type SignInFault } from '@causeway/contracts'
import type { AccessClient } from '../clients/access.ts'
import type { Sessions } from '../clients/sessions.ts'
import type { SecurityLog } from '../auth/security-log.ts'
import { send } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { PublicRoute } from '../http/public-path.ts'
import { SCREEN_SECURITY } from '../http/security-headers.ts'
import type { GuessLimit } from '../rate-limits/guess-limit.ts'
import type { SessionCookies } from '../auth/session-cookie.ts'
import type { AttemptCookie } from './attempt-cookie.ts'

export type SignInRoutesOptions = Readonly<{
  access: Pick<AccessClient, 'beginSignIn' | 'finishSignIn'>
  sessions: Sessions
  cookies: SessionCookies
  attemptCookie: AttemptCookie
  guesses: GuessLimit
  security: SecurityLog
}>

const STATUS: Readonly<Record<SignInFault | 'rate_limited', number>> = {
  unavailable: 503,
  refused: 401,
  no_role: 403,
  rate_limited: 429,
}

const showFault = (exchange: Exchange, fault: keyof typeof STATUS, cookie: string): void =>
  send(exchange, {
    status: STATUS[fault],
    type: 'text/html; charset=utf-8',
    bytes: signInPage({ hasProvider: true, providerFault: fault }).toString(),
    headers: ['Cache-Control', 'no-store', 'Set-Cookie', cookie],
    security: SCREEN_SECURITY,
  })

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

/**
 * The way to the identity provider and back. Each attempt is bound to one browser by its cookie and ends at its first
 * answer, so that nobody is signed in by another one's code, and no code counts twice.
 */
export const signInRoutes = (options: SignInRoutesOptions): PublicRoute[] => {
  const { access, sessions, cookies, attemptCookie, guesses, security } = options

  const refuse = (exchange: Exchange, fault: SignInFault): void => {
    const isLimited = fault === 'refused' && guesses.recordFailure(exchange.request) !== null
    if (fault !== 'unavailable') {
      const reason = fault === 'no_role' ? 'without_role' : 'forged'
      security.refused(exchange, { kind: 'oidc', reason, limited: isLimited })
    }
    showFault(exchange, isLimited ? 'rate_limited' : fault, attemptCookie.end())
  }

  const begin: PublicRoute = {
    kind: 'public',
    method: 'GET',
    path: '/console/sign-in/provider',
    async handle(exchange) {
      const begun = await access.beginSignIn()
      if (begun === null) refuse(exchange, 'unavailable')
      else redirect(exchange, begun.to, [attemptCookie.keep(begun.attempt)])
    },
  }

  const finish: PublicRoute = {
    kind: 'public',
    method: 'GET',
    path: SIGN_IN_CALLBACK_PATH,
    async handle(exchange) {
      const attempt = attemptCookie.attemptOf(exchange.request)
      const person = attempt === null ? 'refused' : await access.finishSignIn(exchange.search, attempt)
      if (typeof person === 'string') {
        refuse(exchange, person)
        return
      }
      const opened = await sessions.openForStaff(person.actor, person.role)
      const former = cookies.tokenOf(exchange.request, 'console')
      if (former !== null) await sessions.end(former, 'new_sign_in')
      redirect(exchange, '/console', [attemptCookie.end(), cookies.setCookie({ area: 'console', opened })])
    },
  }
  return [begin, finish]
}
