import type { IncomingMessage } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { SignInAttempt } from '@causeway/contracts'

/** How long a person may be at the provider. */
const MAX_AGE_SECONDS = 600

export type AttemptCookie = Readonly<{
  keep: (attempt: SignInAttempt) => string
  attemptOf: (request: IncomingMessage) => SignInAttempt | null
  /** Has the browser forget the attempt. */
  end: () => string
}>

/** The parts, which are all base64url, in one value. */
const FORMAT = /^([\w-]{43})\.([\w-]{43})\.([\w-]{43})$/

/**
 * The cookie of one attempt to sign in. It tells its browser nothing that this has not chosen itself, and any replica can
 * finish the attempt. Other sites send it with a link alone, as the provider does (RFC 6265bis, SameSite=Lax).
 */
export const createAttemptCookie = (publicBaseUrl: string): AttemptCookie => {
  const secure = publicBaseUrl.startsWith('https:')
  const name = `${secure ? '__Host-' : ''}causeway_sign_in`
  const write = (value: string, maxAge: number) =>
    stringifySetCookie({ name, value, path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge })
  return {
    keep: ({ state, nonce, codeVerifier }) => write(`${state}.${nonce}.${codeVerifier}`, MAX_AGE_SECONDS),
    end: () => write('', 0),
    attemptOf({ headers }) {
      const [, state, nonce, codeVerifier] = FORMAT.exec(parseCookie(headers.cookie ?? '')[name] ?? '') ?? []
      return state === undefined || nonce === undefined || codeVerifier === undefined
        ? null
        : { state, nonce, codeVerifier }
    },
  }
}
