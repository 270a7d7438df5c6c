import { ConnectionError, errorOf, TimeoutError, type ApiError, type ErrorDetail } from './errors.ts'

/** The body of one attempt. */
export type OutgoingBody = Readonly<{
  init: Pick<RequestInit, 'body'>
  /** Null where the form sets its own. */
  contentType: string | null
  /** After a failure: ends what the body is read from. @returns what reading it failed with, if it did */
  close?: () => unknown
}>

/** A request as it is sent; `body` makes a new body for each attempt. */
export type Outgoing = Readonly<{
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: (() => OutgoingBody) | null
  timeoutMs: number
  signal: AbortSignal | undefined
}>

/** A whole answer. */
export type Answer = Readonly<{
  status: number
  headers: Headers
  /** The parsed JSON body; undefined without one. */
  json: unknown
}>

/** Codes of Node's and Bun's errors of a connection that was never made. */
const UNSENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/

const codeOf = (error: unknown): string => {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined || cause === null ? '' : codeOf(cause)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Sends once and reads the whole answer.
 * @throws ConnectionError, TimeoutError, or the reason of the caller's signal
 */
export const exchange = async (send: typeof fetch, outgoing: Outgoing): Promise<Answer> => {
  const { method, url, headers, body, timeoutMs, signal } = outgoing
  const timeout = AbortSignal.timeout(timeoutMs)
  // oxlint-disable-next-line no-restricted-properties -- the caller's signal is rarely older than its call; 15 kB have no room for more
  const both = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
  // Outside of what follows: a file that cannot be opened is no lost connection.
  const made = body?.()
  const typed = made?.contentType ? { ...headers, 'content-type': made.contentType } : headers
  try {
    const init = { method, headers: typed, signal: both, redirect: 'manual' as const, ...made?.init }
    const response = await send(url, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, json: parse(text) }
  } catch (error) {
    const unread = made?.close?.()
    signal?.throwIfAborted()
    const target = `${method} ${new URL(url).pathname}`
    if (unread !== undefined)
      throw new ConnectionError(`The file could not be read during ${target}`, {
        isSent: true,
        cause: unread,
      })
    if (timeout.aborted)
      throw new TimeoutError(`No answer to ${target} within ${timeoutMs} ms`, { isSent: true, cause: error })
    const isSent = !UNSENT.test(codeOf(error))
    throw new ConnectionError(
      isSent ? `The connection was lost during ${target}` : `No connection for ${target}`,
      { isSent, cause: error },
    )
  }
}

type ErrorBody = Readonly<{ code: string; message: string; request_id: string; details?: ErrorDetail[] }>

/** The error envelope, or what the token endpoint answers (RFC 6749 §5.2), or neither. */
const errorBodyOf = (json: unknown): ErrorBody | null => {
  const { error, error_description: text } = (json ?? {}) as { error?: unknown; error_description?: unknown }
  if (typeof error === 'string') return { code: error, message: String(text), request_id: '' }
  const body = error as Partial<ErrorBody> | null | undefined
  return body?.code === undefined ? null : (body as ErrorBody)
}

const retryAfterMsOf = (headers: Headers): number | null => {
  const value = headers.get('retry-after')
  return value !== null && /^\d+$/.test(value) ? Number(value) * 1_000 : null
}

const NO_CONTENT = 204

/** The error of an answer, or null where it is a success. */
export const failureOf = ({ status, headers, json }: Answer): ApiError | null => {
  // Without content there is only the head to know the platform by.
  const body = json as { data?: object; access_token?: string } | null | undefined
  const isOurs =
    status === NO_CONTENT ? headers.has('x-request-id') : (body?.data ?? body?.access_token) !== undefined
  if (status >= 200 && status < 300 && isOurs) return null
  const said = errorBodyOf(json)
  return errorOf({
    status,
    code: said?.code ?? 'unexpected_answer',
    message: said?.message ?? 'The answer is not the platform’s: check the base URL and what is before it',
    details: said?.details ?? [],
    requestId: said?.request_id ?? headers.get('x-request-id'),
    retryAfterMs: retryAfterMsOf(headers),
  })
}
