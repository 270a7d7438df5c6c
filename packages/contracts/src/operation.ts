import { z } from 'zod'
import type { CallerKind } from './caller.ts'
import type { ErrorCode } from './errors.ts'
import type { SenderName } from './services.ts'
import { tolerantObjectsOf } from './strict-body.ts'

type Shape = CallersShape & {
  /** Its name in the OpenAPI document, and so in clients; every operation with a route has one. */
  operationId?: string
  /** One sentence for the reference. */
  summary: string
  /** When to use it, for the reference. */
  description?: string
  /** Path parameters. A value that does not parse is answered `resource_not_found`. */
  params?: z.ZodType
  /** Optional where the operation had none before: services of that version take none. */
  query?: z.ZodType
  body?: z.ZodType
  reply: z.ZodType
  /** Every code that the operation itself may answer. */
  refusals?: readonly ErrorCode[]
  /** Code for a body that does not parse; `validation_failed` on verifications. */
  badBody?: 'invalid_request' | 'validation_failed'
  /** Whether the header `Idempotency-Key` is required (true), or read where it is sent. */
  idempotent?: boolean | 'optional'
  /** Whether `caller` has to include the partner's default capabilities. */
  needsPartnerDefaults?: boolean
  /** Whether `caller` has to include the limits that staff have set for the client. */
  needsClientLimits?: boolean
  /** Time in milliseconds beyond the usual deadline, for operations that wait for the outside. Default 0. */
  waitsMs?: number
}

/**
 * Who may call it; the host drops every other request. Partners (the default), merchants, operators and the public call
 * through the gateway; services must be named here, and the gateway where it calls for nobody but itself.
 */
type CallersShape =
  | { caller?: Exclude<CallerKind, 'service'>; services?: never }
  | { caller: 'service'; services: readonly [SenderName, ...SenderName[]] }

type OrNever<T> = T extends z.ZodType ? T : z.ZodUndefined

/** One operation of a resource: the only declaration of its shapes. */
export type Operation = Required<Omit<Shape, 'params' | 'query' | 'body' | 'caller' | 'services'>> & {
  subject: string
  caller: CallerKind
  /** The senders that may call it where `caller` is `service`; else none. */
  services: readonly SenderName[]
  params: z.ZodType
  query: z.ZodType
  body: z.ZodType
}

export type OperationOf<S extends Shape> = Omit<
  Operation,
  'params' | 'query' | 'body' | 'reply' | 'refusals' | 'caller'
> & {
  params: OrNever<S['params']>
  query: OrNever<S['query']>
  body: OrNever<S['body']>
  reply: S['reply']
  refusals: S['refusals'] extends readonly ErrorCode[] ? S['refusals'] : readonly []
  caller: S['caller'] extends CallerKind ? S['caller'] : 'partner'
}

/**
 * Requires a body from outside to refuse unknown fields (decisions §1). An operation without an id has no route: only
 * processes of the platform call it, and during an upgrade they send fields that the older version does not know.
 */
function requireStrictBody({ body, operationId }: Shape): void {
  if (body === undefined || operationId === undefined) return
  const tolerant = tolerantObjectsOf(body)
  if (tolerant.length > 0)
    throw new Error(`${operationId}: declare ${tolerant.join(', ')} with z.strictObject, not z.object.`)
}

/** Declares an operation; its subject is given by the resource that holds it. */
export const operation = <const S extends Shape>(shape: S): OperationOf<S> => {
  requireStrictBody(shape)
  return {
    operationId: '',
    description: '',
    caller: 'partner',
    services: [],
    params: z.undefined(),
    query: z.undefined(),
    body: z.undefined(),
    refusals: [],
    badBody: 'invalid_request',
    idempotent: false,
    needsPartnerDefaults: false,
    needsClientLimits: false,
    waitsMs: 0,
    ...shape,
    subject: '',
  } as unknown as OperationOf<S>
}

/** The operations of one resource by their names. */
export type Resource = Readonly<Record<string, Operation>>

const kebabCase = (member: string): string => member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * Names a resource: the member `listByOrder` of `resource('payments.chargebacks', { listByOrder })` listens on
 * `payments.chargebacks.list-by-order`, implemented in `services/payments/src/chargebacks/operations.ts`.
 */
export const resource = <R extends Record<string, { subject: string }>>(name: string, operations: R): R =>
  Object.fromEntries(
    Object.entries(operations).map(([member, declared]) => [
      member,
      { ...declared, subject: `${name}.${kebabCase(member)}` },
    ]),
  ) as R
