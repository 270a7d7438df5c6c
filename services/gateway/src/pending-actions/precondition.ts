import { relay, type Bus, type Clock, type RelayedReply } from '@causeway/chassis'
import type { Call } from '../dispatch/call.ts'
import type { Rule } from './rules.ts'

type Options = Readonly<{ bus: Bus; clock: Clock; timeoutMs: number }>

export type Precondition = Readonly<{ ok: true; before: unknown }> | (RelayedReply & Readonly<{ ok: false }>)

/** Reads what an action would change, as its owner has it now. @returns the owner's refusal where it cannot be read */
export const readPrecondition = async (
  { bus, clock, timeoutMs }: Options,
  { before }: Rule,
  {
    requestId,
    identity,
    paramsJson,
  }: Pick<Call, 'requestId' | 'paramsJson'> & Readonly<{ identity: Pick<Call['identity'], 'callerJson'> }>,
): Promise<Precondition> => {
  if (before === undefined) return { ok: true, before: null }
  const answer = await relay(bus, clock, before.operation.subject, {
    requestId,
    callerJson: identity.callerJson,
    timeoutMs,
    safe: true,
    asksAgain: true,
    paramsJson,
    queryJson: before.operation.query.safeParse({}).success ? '{}' : undefined,
  })
  if (!answer.ok) return answer
  return { ok: true, before: before.of(JSON.parse(Buffer.from(answer.data).toString('utf8'))) }
}
