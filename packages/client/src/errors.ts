import type { components } from './generated/api.ts'

export type ErrorCode = components['schemas']['ErrorCode']
export type ErrorDetail = components['schemas']['ErrorDetail']

/** A call that did not succeed. An aborted one throws the signal's reason instead. */
export class CausewayError extends Error {
  override readonly name: string = 'CausewayError'
}

type Connecting = Readonly<{ isSent: boolean; cause: unknown }>

/** No whole answer arrived. */
export class ConnectionError extends CausewayError {
  override readonly name: string = 'ConnectionError'
  /** True if the request may have had an effect; false if no connection was made to send it on. */
  readonly isSent: boolean

  constructor(message: string, { isSent, cause }: Connecting) {
    super(message, { cause })
    this.isSent = isSent
  }
}

/** No whole answer arrived in time. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError'
}

export type ErrorAnswer = Readonly<{
  status: number
  /** `unexpected_answer` where something between here and the platform answered, such as a proxy. */
  code: ErrorCode | 'unexpected_answer' | (string & {})
  message: string
  /** The fields at fault, or what else the caller needs. */
  details: readonly ErrorDetail[]
  requestId: string | null
  retryAfterMs: number | null
}>

/** The platform refused the call, or failed. `code` says why, and is stable; the message is for people. */
export class ApiError extends CausewayError {
  override readonly name: string = 'ApiError'
  readonly status: number
  readonly code: ErrorAnswer['code']
  readonly details: readonly ErrorDetail[]
  /** Id of this request in the platform's logs. */
  readonly requestId: string | null
  readonly retryAfterMs: number | null

  constructor(answer: ErrorAnswer) {
    const { code, details } = answer
    const at = details.length === 0 ? '' : ` ${JSON.stringify(details)}`
    super(`${answer.status} ${code}: ${answer.message}${at}`)
    this.status = answer.status
    this.code = code
    this.details = details
    this.requestId = answer.requestId
    this.retryAfterMs = answer.retryAfterMs
  }
}

/** 400, 413, 415, 422: the request has to be changed. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError'
}
/** 401: the credential is wrong, expired or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}
/** 403: the credential lacks a scope, or the customer a capability. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError'
}
/** 404: there is no such resource, or it is not the caller's. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}
/** 409: the state of the resource, a limit or an earlier call does not allow it. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}
/** 429: too many requests, even after retries. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
}
/** 502: a payment company refused or failed. */
export class ProviderError extends ApiError {
  override readonly name = 'ProviderError'
}
/** 503: nothing was done, even after retries. */
export class UnavailableError extends ApiError {
  override readonly name = 'UnavailableError'
}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
  502: ProviderError,
  503: UnavailableError,
}

/** The error of an answer, of the class of its status; a 500 is an {@link ApiError} itself. */
export const errorOf = (answer: ErrorAnswer): ApiError => new (BY_STATUS[answer.status] ?? ApiError)(answer)
