import type { Caller, Operation } from '@causeway/contracts'
import type { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Outcome } from '../outcome.ts'
import { span } from '../telemetry/span.ts'
import type { Bus } from './connect.ts'
import { decodeReply, type RelayedReply } from './wire.ts'

/** A request whose parts are JSON already, so that the gateway writes them once and never parses them again. */
export type RelayRequest = Readonly<{
  requestId: string
  callerJson: string
  timeoutMs: number
  /** True if it changes nothing or may be repeated: an unknown outcome then becomes 503 (retry) instead of 500. */
  safe: boolean
  /** True for reads only: retried once when a fifth of the timeout passed without a response (ADR 0063). */
  isRetriedWhenSlow?: boolean
  idempotencyKey?: string | undefined
  paramsJson?: string | undefined
  queryJson?: string | undefined
  bodyJson?: string | undefined
  /** State that the owner must find unchanged, by the operation's contract. */
  expectedJson?: string | undefined
}>

const unavailable: RelayedReply = { ok: false, code: 'temporarily_unavailable' }
const outcomeUnknown: RelayedReply = { ok: false, code: 'internal_error' }

export const encodeRequest = (request: RelayRequest): string =>
  `{"requestId":"${request.requestId}","caller":${request.callerJson}` +
  (request.idempotencyKey === undefined
    ? ''
    : `,"idempotencyKey":${JSON.stringify(request.idempotencyKey)}`) +
  (request.safe ? ',"safe":true' : '') +
  (request.paramsJson === undefined ? '' : `,"params":${request.paramsJson}`) +
  (request.queryJson === undefined ? '' : `,"query":${request.queryJson}`) +
  (request.bodyJson === undefined ? '' : `,"body":${request.bodyJson}`) +
  (request.expectedJson === undefined ? '' : `,"expected":${request.expectedJson}`) +
  '}'

/**
 * Sends a request and returns the reply's data as bytes. With no subscriber or no connection nothing was done
 * (`temporarily_unavailable`). Without an answer in time it may have been done (`internal_error`), unless it is safe.
 */
export const relay = async (
  bus: Bus,
  clock: Clock,
  subject: string,
  request: RelayRequest,
): Promise<RelayedReply> => {
  if (!bus.connected()) return unavailable
  return span.around(
    subject,
    'client',
    { 'messaging.system': 'nats', 'messaging.destination.name': subject },
    async () => {
      const deadlineMs = clock.outsideMs() + request.timeoutMs
      const sealed = () => bus.seal(subject, deadlineMs, encodeRequest(request))
      const answer = await bus.ask({
        subject,
        payload: sealed(),
        timeoutMs: request.timeoutMs,
        traceparent: span.traceparent(),
        ...(request.isRetriedWhenSlow === true ? { retryPayload: sealed } : {}),
      })
      if (answer === 'nobody') return unavailable
      if (answer === 'lost') return request.safe ? unavailable : outcomeUnknown
      return decodeReply(answer)
    },
  )
}

/** Sends a request to the operation of a subject. */
export type Send = (subject: string, request: RelayRequest) => Promise<RelayedReply>

/** A request of one service to another. */
export type CallRequest<O extends Operation> = Readonly<{
  caller: Caller
  requestId: string
  timeoutMs: number
  safe: boolean
  params?: z.input<O['params']>
  query?: z.input<O['query']>
  body?: z.input<O['body']>
  expected?: z.input<O['expected']>
  idempotencyKey?: string
}>

const jsonOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value)
const decoder = new TextDecoder()

/** Calls an operation of another service and parses its reply by the contract. */
export const call = <O extends Operation>(
  bus: Bus,
  clock: Clock,
  operation: O,
  request: CallRequest<O>,
): Promise<Outcome<z.output<O['reply']>>> =>
  callBy((subject, sent) => relay(bus, clock, subject, sent), operation, request)

/** As {@link call}, by a way to send requests. */
export const callBy = async <O extends Operation>(
  send: Send,
  operation: O,
  request: CallRequest<O>,
): Promise<Outcome<z.output<O['reply']>>> => {
  const answer = await send(operation.subject, {
    requestId: request.requestId,
    callerJson: JSON.stringify(request.caller),
    timeoutMs: request.timeoutMs,
    safe: request.safe,
    paramsJson: jsonOf(request.params),
    queryJson: jsonOf(request.query),
    bodyJson: jsonOf(request.body),
    expectedJson: jsonOf(request.expected),
    idempotencyKey: request.idempotencyKey,
  })
  if (!answer.ok) return answer
  const json = decoder.decode(answer.data)
  return {
    ok: true,
    value: operation.reply.parse(JSON.parse(json)) as z.output<O['reply']>,
    ...(answer.variant === undefined ? {} : { variant: answer.variant }),
    ...(answer.replayedRequestId === undefined
      ? {}
      : { replay: { requestId: answer.replayedRequestId, json } }),
  }
}
