import { type relay, type RelayedReply, type RelayRequest } from '@causeway/chassis'
import { preparationOf, type FourEyes, type Operation } from '@causeway/contracts'
import { z } from 'zod'

/** Sends a request to the operation of a subject, in this process or on the bus. */
export type Ask = (subject: string, request: RelayRequest) => ReturnType<typeof relay>

type Options = Readonly<{ ask: Ask; timeoutMs: number }>
type Request = Pick<RelayRequest, 'requestId' | 'callerJson' | 'paramsJson' | 'queryJson' | 'bodyJson'>

/** The state that a request would change, which the owner alone understands, and the groups that it belongs to. */
type Prepared = Readonly<{ ok: true; before: unknown; groups: readonly FourEyes[] }>

const Preparation = preparationOf(z.unknown())

/** Asks the owner of an operation what a request would change. @returns the owner's refusal if it would refuse the request */
export const prepare = async (
  { ask, timeoutMs }: Options,
  { preparation, fourEyes }: Operation,
  { requestId, callerJson, paramsJson, queryJson, bodyJson }: Request,
): Promise<Prepared | (RelayedReply & Readonly<{ ok: false }>)> => {
  if (preparation === null) return { ok: true, before: null, groups: fourEyes }
  const answer = await ask(preparation, {
    requestId,
    callerJson,
    timeoutMs,
    safe: true,
    isRetriedWhenSlow: true,
    paramsJson,
    queryJson,
    bodyJson,
  })
  if (!answer.ok) return answer
  const { before, groups } = Preparation.parse(JSON.parse(Buffer.from(answer.data).toString('utf8')))
  return { ok: true, before, groups }
}

/** The state that the owner must find unchanged, as it is sent; undefined where a request does not depend on one. */
export const expectedJsonOf = (before: unknown): string | undefined =>
  before === null || before === undefined ? undefined : JSON.stringify(before)
