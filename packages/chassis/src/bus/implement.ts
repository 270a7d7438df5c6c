import type { CallerOf, CallerKind, Operation, Refusal, Resource } from '@causeway/contracts'
import type { z } from 'zod'
import type { Logger } from '../log.ts'
import type { Reply } from '../outcome.ts'

/** Input of a handler: the caller, the parsed request, the time, and a log whose lines name the request. */
export type OperationRequest<O extends Operation> = Readonly<{
  caller: CallerOf<O['caller'] extends CallerKind ? O['caller'] : never>
  params: z.output<O['params']>
  query: z.output<O['query']>
  body: z.output<O['body']>
  /** The state that must still hold; undefined if nobody has waited for a confirmation. */
  expected?: z.output<O['expected']> | undefined
  requestId: string
  idempotencyKey: string | undefined
  now: Date
  deadlineMs: number
  log: Logger
}>

/** Refusals that every operation may answer without listing them. */
type General = 'invalid_request' | 'invalid_cursor' | 'resource_not_found' | 'temporarily_unavailable'

/** The refusal of {@link refuseChanged}, which only access sees. */
type Outdated<O extends Operation> = O['expected'] extends z.ZodUndefined ? never : 'invalid_state'

export type Handler<O extends Operation> = (
  request: OperationRequest<O>,
) => Promise<Reply<z.input<O['reply']>> | Refusal<O['refusals'][number] | General | Outdated<O>>>

export type Handlers<R extends Resource> = { readonly [K in keyof R]: Handler<R[K]> }

/** A resource with the handler of each of its operations. */
export type Implementation = Readonly<{
  operation: Operation
  handle: (request: OperationRequest<Operation>) => Promise<Reply<unknown> | Refusal>
}>

/** Binds a resource's operations to their handlers; a missing member does not compile. */
export const implement = <R extends Resource>(resource: R, handlers: Handlers<R>): Implementation[] =>
  Object.entries(resource).map(([member, operation]) => ({
    operation,
    handle: handlers[member as keyof R] as unknown as Implementation['handle'],
  }))
