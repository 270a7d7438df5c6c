import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  UnavailableError,
  type ErrorDetail,
} from '@causeway/client'
import { CommanderError } from 'commander'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

/** A failure as it is shown; with `--json` as it is. */
export type Failure = Readonly<{
  exitCode: number
  message: string
  status?: number
  code?: string
  details?: readonly ErrorDetail[]
  requestId?: string | null
}>

const exitCodeOf = (error: unknown): number => {
  if (error instanceof CliError) return error.exitCode
  if (error instanceof AuthenticationError || error instanceof PermissionError) return EXIT.credential
  if (error instanceof NotFoundError) return EXIT.notFound
  const mayPass = [ConnectionError, UnavailableError, RateLimitError].some((kind) => error instanceof kind)
  return mayPass ? EXIT.unavailable : EXIT.refused
}

/** Returns the message of an error and the exit code; 0 when help was requested, no message when it was shown already. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exitCode: EXIT.done, message: '' }
    // A command that needs a subcommand has shown its help already.
    const message = error.code === 'commander.help' ? '' : error.message.replace(/^error: /, '')
    return { exitCode: EXIT.usage, message }
  }
  const exitCode = exitCodeOf(error)
  if (!(error instanceof ApiError))
    return { exitCode, message: error instanceof Error ? error.message : String(error) }
  const { status, code, details, requestId } = error
  // The client's message ends with the details as JSON.
  const message = error.message.replace(` ${JSON.stringify(details)}`, '')
  return { exitCode, message, status, code, details, requestId }
}

/** `amount_cents: too_big (maximum 4000)`; without a field `reason verification_required`. */
const detailText = (detail: ErrorDetail): string => {
  const { field, ...told } = detail as Readonly<Record<string, unknown>>
  const { reason, ...rest } = told
  const facts = Object.entries(field === undefined ? told : rest).map(
    ([name, value]) => `${name} ${Array.isArray(value) ? value.join(' ') : String(value)}`,
  )
  if (typeof field !== 'string') return facts.join(', ')
  return `${field}: ${String(reason)}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
}

/** A failure in one line, with the id by which the platform's logs know the request. */
export const failureLine = ({ message, details = [], requestId = '' }: Failure): string => {
  const facts = details.length === 0 ? '' : ` ${details.map(detailText).join('; ')}`
  const request = requestId === null || requestId === '' ? '' : ` [${requestId}]`
  return `causeway: ${message}${facts}${request}`.replace(/\s*\n\s*/g, ' ')
}
