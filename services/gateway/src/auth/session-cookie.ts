import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Area, SessionChange } from '@causeway/screens'
import { parseCookie, stringifySetCookie } from 'cookie'

export type SessionCookies = Readonly<{
  /** The token that a browser sends for an area; null without one. */
  tokenOf: (request: IncomingMessage, area: Area) => string | null
  /** The value of `Set-Cookie` that gives a browser a session, or takes it away. */
  setCookie: (change: SessionChange) => string
}>

/**
 * Cookies of sessions (RFC 6265bis): no script reads them, other sites' forms do not send them. Under https the prefix
 * `__Host-` keeps other hosts of the same domain from setting one.
 */
export const createSessionCookies = (baseUrls: Readonly<Record<Area, string>>): SessionCookies => {
  const isSecure = (area: Area) => baseUrls[area].startsWith('https:')
  const nameOf = (area: Area) => `${isSecure(area) ? '__Host-' : ''}causeway_${area}`
  return {
    tokenOf: ({ headers }, area) => parseCookie(headers.cookie ?? '')[nameOf(area)] ?? null,
    setCookie: ({ area, opened }) =>
      stringifySetCookie({
        name: nameOf(area),
        value: opened?.token ?? '',
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: isSecure(area),
        expires: opened?.expiresAt ?? new Date(0),
      }),
  }
}

/** Derives the form token of a session from its token: it needs no row and does not reveal the session's token. */
export const formTokenOf = (token: string): string =>
  createHmac('sha256', token).update('form').digest('base64url')
