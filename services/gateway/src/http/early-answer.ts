import { ERRORS, type ErrorCode, type ErrorDetail } from '@causeway/contracts'
import { errorPage } from '@causeway/screens'
import { errorHeaders, errorJson, send, type Content } from './answer.ts'
import { MAX_BODY_BYTES, sizeDetails } from './body.ts'
import type { Exchange } from './exchange.ts'
import { languageHeaders, pageLanguage } from './page-language.ts'
import { SCREEN_SECURITY, type FlatHeaders } from './security-headers.ts'

/** How long the rest of a refused body is read and discarded before the connection is closed. */
const LINGER_MS = 1_000

/**
 * Responds while the body may still be arriving. The response is sent immediately, with `Connection: close`, and for up to
 * `lingerMs` the rest of the body is read and discarded: closing immediately would reset the connection, and the caller
 * could not read the response.
 */
export const sendEarlyContent = (
  exchange: Exchange,
  content: Omit<Content, 'headers' | 'leaveOpen'> & Readonly<{ headers: FlatHeaders }>,
  lingerMs: number,
): void => {
  const { request, response } = exchange
  send(exchange, { ...content, headers: ['Connection', 'close', ...content.headers], leaveOpen: true })
  if (request.complete) {
    response.end()
    return
  }
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, lingerMs)
  request.once('end', end).once('error', end).resume()
}

/** Answers in JSON while the body may still be arriving (see {@link sendEarlyContent}). */
export const sendEarlyJson = (exchange: Exchange, status: number, json: string, headers: FlatHeaders): void =>
  sendEarlyContent(
    exchange,
    { status, type: 'application/json; charset=utf-8', bytes: json, headers },
    LINGER_MS,
  )

/** Answers with an error of the table while the body may still be arriving: the envelope, or a page for a person. */
export const sendEarly = (
  exchange: Exchange,
  code: ErrorCode,
  details?: readonly ErrorDetail[],
  given: FlatHeaders = [],
): void => {
  const { status } = ERRORS[code]
  const headers = errorHeaders(code, given)
  if (!exchange.showsPages) {
    sendEarlyJson(exchange, status, errorJson(code, exchange.requestId, details), headers)
    return
  }
  const bytes = errorPage(code, exchange, pageLanguage(exchange)).toString()
  const type = 'text/html; charset=utf-8'
  const content = { status, type, bytes, security: SCREEN_SECURITY }
  sendEarlyContent(exchange, { ...content, headers: [...headers, ...languageHeaders(exchange)] }, LINGER_MS)
}

/** Answers 413. */
export const sendTooLarge = (exchange: Exchange): void =>
  sendEarly(exchange, 'payload_too_large', sizeDetails(MAX_BODY_BYTES))
