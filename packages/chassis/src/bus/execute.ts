import type { Refusal } from '@causeway/contracts'
import type { Clock } from '../clock.ts'
import { isAway } from '../db/faults.ts'
import type { Logger } from '../log.ts'
import { NotDoneError, notAsExpected, refuse, type Reply } from '../outcome.ts'
import { withRequestId } from '../telemetry/request-id.ts'
import { span } from '../telemetry/span.ts'
import type { Implementation } from './implement.ts'
import { detailsFromZod, wrongIdDetails } from './refusal-from-zod.ts'
import type { RequestMessage } from './wire.ts'

export type ExecuteOptions = Readonly<{
  clock: Clock
  log: Logger
  /** Validates replies against their contract: on in tests. */
  checkReplies: boolean
}>

/**
 * Carries out one request: the contract's shapes first (body and query, then path parameters, as decisions §1
 * orders them), then the handler. One of the two places where an unexpected error is caught.
 */
export const execute = (
  implementation: Implementation,
  message: RequestMessage & Readonly<{ deadlineMs: number }>,
  options: ExecuteOptions,
): Promise<Reply<unknown> | Refusal> =>
  withRequestId(message.requestId, () => executeRequest(implementation, message, options))

/**
 * Why a failed request may be sent again, or null where it may have been done. A database that goes away under a statement
 * leaves that open, but a read did nothing in any case.
 */
const reasonToRepeat = (error: unknown, { safe }: RequestMessage): unknown => {
  if (error instanceof NotDoneError) return error.cause ?? error
  return safe === true && isAway(error) ? error : null
}

const executeRequest = async (
  implementation: Implementation,
  message: RequestMessage & Readonly<{ deadlineMs: number }>,
  options: ExecuteOptions,
): Promise<Reply<unknown> | Refusal> => {
  const { operation } = implementation
  let log: Logger | null = null
  // Created with the first line: most requests log none.
  const logOfRequest = (): Logger =>
    (log ??= options.log.child({
      operation: operation.subject,
      traceId: span.traceId() ?? undefined,
    }))
  if (message.caller.kind !== operation.caller) {
    logOfRequest().error(
      { event: 'request.wrong_caller', caller: message.caller.kind },
      'An operation was called by a caller of the wrong kind',
    )
    return refuse('resource_not_found')
  }
  const body = operation.body.safeParse(message.body)
  if (!body.success)
    return refuse(operation.badBody, detailsFromZod(body.error, message.body, operation.body))
  const query = operation.query.safeParse(message.query)
  if (!query.success)
    return refuse('invalid_request', detailsFromZod(query.error, message.query, operation.query))
  const params = operation.params.safeParse(message.params)
  if (!params.success)
    return refuse('resource_not_found', wrongIdDetails(params.error, message.params, operation.params))
  const { expected } = message
  const state =
    expected === undefined ? { success: true, data: undefined } : operation.expected.safeParse(expected)
  if (!state.success) return notAsExpected()
  try {
    const outcome = await implementation.handle({
      caller: message.caller,
      params: params.data,
      query: query.data,
      body: body.data,
      expected: state.data,
      requestId: message.requestId,
      idempotencyKey: message.idempotencyKey,
      now: options.clock.now(),
      deadlineMs: message.deadlineMs,
      get log() {
        return logOfRequest()
      },
    })
    if (options.log.isLevelEnabled('debug'))
      logOfRequest().debug({ event: 'request.served', ok: outcome.ok }, 'Served a request')
    if (options.checkReplies && outcome.ok) operation.reply.parse(outcome.value)
    return outcome
  } catch (error) {
    const reason = reasonToRepeat(error, message)
    if (reason !== null) {
      logOfRequest().warn(
        { event: 'request.not_done', error: reason },
        'A request could not be processed; nothing was changed',
      )
      return refuse('temporarily_unavailable')
    }
    logOfRequest().error({ event: 'request.failed', error }, 'A request failed unexpectedly')
    return refuse('internal_error')
  }
}
