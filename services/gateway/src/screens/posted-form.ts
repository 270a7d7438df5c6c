import type { IncomingMessage } from 'node:http'
import { announcesBody, isIdentity, readBody } from '../http/body.ts'
import { abandon, sendError } from '../http/answer.ts'
import { sendTooLarge } from '../http/early-answer.ts'
import type { Exchange } from '../http/exchange.ts'

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;.*)?$/i

/**
 * Checks whether a request that changes something comes from a page of another site. Browsers say so in `Sec-Fetch-Site`; older
 * ones name the page's origin. `null` is a page that hides it, such as one in a sandboxed frame.
 */
export const isFromElsewhere = ({ headers }: IncomingMessage): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  return origin !== undefined && URL.parse(origin)?.host !== headers.host
}

/** The fields of a posted form; null when it was refused and the answer has been sent. */
export const readForm = async (exchange: Exchange): Promise<URLSearchParams | null> => {
  const { request, response } = exchange
  if (!announcesBody(request)) return new URLSearchParams()
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '') || !isIdentity(request)) {
    sendError(exchange, 'unsupported_media_type')
    return null
  }
  const body = await readBody(request, response)
  if (body.ok) return new URLSearchParams(body.bytes?.toString('utf8') ?? '')
  if (body.why === 'aborted') abandon(exchange)
  else sendTooLarge(exchange)
  return null
}
