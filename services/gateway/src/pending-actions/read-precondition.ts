import { refuse, relay, type Bus, type Clock, type Db, type RelayedReply } from '@causeway/chassis'
import { clients } from '@causeway/contracts'
import { presentClient } from '../clients/domain.ts'
import { getClient } from '../clients/store.ts'
import type { Call } from '../dispatch/call.ts'
import type { Precondition } from './preconditions.ts'
import type { Rule } from './rules.ts'

type Options = Readonly<{ db: Db; bus: Bus; clock: Clock; timeoutMs: number }>
type Reader = Pick<Call, 'requestId' | 'paramsJson'> &
  Readonly<{ identity: Pick<Call['identity'], 'callerJson'> }>

type Read<T> = Readonly<{ ok: true; state: T }> | (RelayedReply & Readonly<{ ok: false }>)

const parse = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))

const readClient = async ({ db }: Options, params: unknown): Promise<Read<unknown>> => {
  const parsed = clients.update.params.safeParse(params)
  const client = parsed.success ? await getClient(db, parsed.data) : null
  return client === null ? refuse('resource_not_found') : { ok: true, state: presentClient(client) }
}

const readByBus = async (
  { bus, clock, timeoutMs }: Options,
  { operation, query = {} }: Exclude<Precondition['from'], string>,
  { requestId, identity, paramsJson }: Reader,
): Promise<Read<unknown>> => {
  // What is changed may have more ids in its path than what is read.
  const params = operation.params.safeParse(parse(paramsJson))
  const answer = await relay(bus, clock, operation.subject, {
    requestId,
    callerJson: identity.callerJson,
    timeoutMs,
    safe: true,
    asksAgain: true,
    paramsJson: params.success ? JSON.stringify(params.data) : paramsJson,
    queryJson: operation.query.safeParse(query).success ? JSON.stringify(query) : undefined,
  })
  return answer.ok ? { ok: true, state: parse(Buffer.from(answer.data).toString('utf8')) } : answer
}

/** Reads what an action would change, as its owner has it now. @returns the owner's refusal where it cannot be read */
export const readPrecondition = async (
  options: Options,
  { before }: Rule,
  reader: Reader,
): Promise<Read<unknown>> => {
  if (before === undefined) return { ok: true, state: null }
  const params = parse(reader.paramsJson)
  const read =
    before.from === 'client'
      ? await readClient(options, params)
      : await readByBus(options, before.from, reader)
  return read.ok ? { ok: true, state: before.of(read.state, params) } : read
}
