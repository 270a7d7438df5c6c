import { detailsFromZod, type Logger } from '@causeway/chassis'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { z } from 'zod'

type Detail = Readonly<Record<string, unknown>>

/** An error that the sandbox answers as `{error: {code, message, details}}`. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  readonly status: number
  readonly code: string
  readonly details: readonly Detail[]

  constructor(status: number, code: string, message: string, details: readonly Detail[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/**
 * Validates a body, a query or headers.
 * @throws SandboxError 400 with `{field, reason}` of each bad field
 */
export const parseRequest = <T>(shape: z.ZodType<T>, input: unknown): T => {
  const parsed = shape.safeParse(input)
  if (parsed.success) return parsed.data
  const details = detailsFromZod(parsed.error, input, shape)
  const named = details.map((detail) => Object.values(detail).join(': ')).join(', ')
  throw new SandboxError(400, 'invalid_request', `The request is not valid (${named}).`, details)
}

export const notFound: RequestHandler = (request) => {
  throw new SandboxError(404, 'resource_not_found', `The sandbox has no ${request.method} ${request.path}.`)
}

const fromParser = (error: unknown): SandboxError | null => {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
  if (type === 'entity.too.large') return new SandboxError(413, 'payload_too_large', 'The body is too large.')
  if (type === 'charset.unsupported')
    return new SandboxError(415, 'unsupported_media_type', 'Send the body in UTF-8.')
  if (typeof type !== 'string') return null
  return new SandboxError(400, 'invalid_request', 'The body is not JSON.', [
    { field: 'body', reason: 'invalid_json' },
  ])
}

/** Answers every error as JSON; the unexpected ones are logged. */
export const createErrorHandler =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error)
      return
    }
    const known = error instanceof SandboxError ? error : fromParser(error)
    if (!known)
      log.error(
        { event: 'sandbox.request_failed', method: request.method, path: request.path, error },
        'Unexpected error in a request',
      )
    const { status, code, message, details } =
      known ?? new SandboxError(500, 'internal_error', 'Unexpected failure.')
    response.status(status).json({ error: { code, message, details } })
  }
