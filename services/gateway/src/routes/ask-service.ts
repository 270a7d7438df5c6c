import { relay, type Bus, type Clock } from '@causeway/chassis'
import type { Operation } from '@causeway/contracts'
import type { z } from 'zod'
import { PUBLIC_CALLER_JSON } from '../auth/identity.ts'
import { sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { paramsJsonOf } from '../http/input.ts'

export type AskOptions = Readonly<{ bus: Bus; clock: Clock; timeoutMs: number }>

/**
 * Calls an operation of a service on behalf of a public caller.
 * @param params names and values of the operation's parameters
 * @returns null when the refusal has been sent
 */
export const askService = async <O extends Operation>(
  { bus, clock, timeoutMs }: AskOptions,
  exchange: Exchange,
  operation: O,
  params: Readonly<{ names: readonly string[]; values: readonly string[] }>,
): Promise<z.output<O['reply']> | null> => {
  const answer = await relay(bus, clock, operation.subject, {
    requestId: exchange.requestId,
    callerJson: PUBLIC_CALLER_JSON,
    timeoutMs,
    safe: true,
    paramsJson: paramsJsonOf(params.names, params.values),
  })
  if (!answer.ok) {
    sendError(exchange, answer.code, answer.details)
    return null
  }
  return operation.reply.parse(JSON.parse(Buffer.from(answer.data).toString('utf8'))) as z.output<O['reply']>
}
