import type { Operation, SenderName } from '@causeway/contracts'
import type { z } from 'zod'
import type { Clock } from '../clock.ts'
import { newId } from '../ids.ts'
import type { Outcome } from '../outcome.ts'
import { currentRequestId } from '../telemetry/request-id.ts'
import { callBy, relay, type Send } from './call.ts'
import type { Bus } from './connect.ts'

type ServiceClientOptions = Readonly<{
  /** The service that asks, or the gateway for itself. */
  service: SenderName
  bus: Bus
  clock: Clock
  /** Sends the requests. Default: over the bus. */
  send?: Send
  timeoutMs: number
  timeoutFactor: number
}>

/**
 * Calls an operation of another service, with the request id and the trace of the request that is being served.
 * A lost answer is `temporarily_unavailable`: every operation that services call of each other may be repeated.
 */
export type ServiceClient = <O extends Operation>(
  operation: O,
  body: z.input<O['body']>,
  options?: Readonly<{ timeoutMs?: number }>,
) => Promise<Outcome<z.output<O['reply']>>>

/** The client with which one service asks the others. */
export const createServiceClient = ({
  service,
  bus,
  clock,
  send = (subject, request) => relay(bus, clock, subject, request),
  timeoutMs,
  timeoutFactor,
}: ServiceClientOptions): ServiceClient => {
  return (operation, body, options = {}) =>
    callBy(send, operation, {
      caller: { kind: 'service', service },
      requestId: currentRequestId() ?? newId('request'),
      timeoutMs: (options.timeoutMs ?? timeoutMs) * timeoutFactor + operation.waitsMs,
      safe: true,
      body,
    })
}
