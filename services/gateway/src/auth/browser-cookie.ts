import type { IncomingMessage } from 'node:http'
import { newBearerToken } from '@causeway/chassis'
import { parseCookie, stringifySetCookie } from 'cookie'

/** As long as browsers keep a cookie (RFC 6265bis, 5.6.2). */
const MAX_AGE_SECONDS = 400 * 24 * 3_600

export type BrowserCookie = Readonly<{
  /** The token of a browser; empty without one. */
  tokenOf: (request: IncomingMessage) => string
  /** The token of a browser, a new one where it has none, with the `Set-Cookie` that keeps it. */
  keep: (request: IncomingMessage) => Readonly<{ token: string; setCookie: string }>
}>

/**
 * The cookie that names a browser which has asked for a sign-in link: a link opens only in the browser that asked for it,
 * and a sign-in with a new one is reported to its person. It gives no rights.
 */
export const createBrowserCookie = (publicBaseUrl: string): BrowserCookie => {
  const secure = publicBaseUrl.startsWith('https:')
  const name = `${secure ? '__Host-' : ''}causeway_browser`
  const tokenOf = ({ headers }: IncomingMessage): string => parseCookie(headers.cookie ?? '')[name] ?? ''
  return {
    tokenOf,
    keep(request) {
      const sent = tokenOf(request)
      const token = /^[\w-]{43}$/.test(sent) ? sent : newBearerToken().token
      const setCookie = stringifySetCookie({
        name,
        value: token,
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure,
        maxAge: MAX_AGE_SECONDS,
      })
      return { token, setCookie }
    },
  }
}
