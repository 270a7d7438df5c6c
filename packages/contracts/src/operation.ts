import { z } from 'zod'
import type { CallerKind } from './caller.ts'
import type { Tag } from './http/chapters.ts'
import type { ErrorCode } from './errors.ts'
import type { FourEyes } from './gateway/four-eyes.ts'
import type { StaffRole } from './gateway/staff-roles.ts'
import { PREFIXES, type Http } from './http/methods.ts'
import type { SenderName } from './services.ts'

type Part = readonly [schema: z.core.$ZodType, path: string]

/** The schemas directly inside `schema`, each with its path. */
function partsOf(schema: z.core.$ZodType, path: string): readonly Part[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.def.shape).map(([name, part]) => [part, `${path}.${name}`])
  if (schema instanceof z.ZodArray) return [[schema.def.element, `${path}[]`]]
  if (schema instanceof z.ZodRecord) return [[schema.def.valueType, `${path}{}`]]
  if (schema instanceof z.ZodUnion) return schema.def.options.map((option) => [option, path])
  const { def } = schema as z.ZodPipe | z.ZodIntersection | z.ZodLazy | z.ZodOptional
  return [
    ...('in' in def ? [def.in] : []),
    ...('left' in def ? [def.left, def.right] : []),
    ...('getter' in def ? [def.getter()] : []),
    ...('innerType' in def ? [def.innerType] : []),
  ].map((part) => [part, path])
}

const isTolerant = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodObject && !(schema.def.catchall instanceof z.ZodNever)

/** Returns the path of each object in `body` that accepts unknown fields (decisions §1), for example `body.payer`. */
function tolerantObjectsOf(body: z.core.$ZodType, path = 'body'): string[] {
  const inside = partsOf(body, path).flatMap(([part, at]) => tolerantObjectsOf(part, at))
  return isTolerant(body) ? [path, ...inside] : inside
}

type Shape = CallersShape & {
  /** Its name in the OpenAPI document, and so in clients; every operation with a route has one. */
  operationId?: string
  /** Method and path at the gateway; absent if it is internal or has a public path. */
  http?: Http
  /** Role that staff need, or `admin`; `viewer`: every role. Operations of staff with a path have one. */
  role?: StaffRole | undefined
  /** Chapter of the API document. */
  tag?: Tag
  /** Groups of actions under which it can need a second person (decisions §14). */
  fourEyes?: readonly FourEyes[]
  /** Member of the resource that says what a request would change, and which of the groups it belongs to. */
  preparedBy?: string
  /**
   * State that must still hold when a second person confirms. Access sends it with the request, and the owner checks it
   * in its transaction. No caller from outside can send it.
   */
  expected?: z.ZodType
  /** True: a repeated run changes nothing, so that an action whose outcome is unknown can be confirmed again. */
  repeatable?: boolean
  /**
   * True: it changes nothing although it is a POST, which keeps its request out of URLs. The audit log has one record of a
   * call, without its reply.
   */
  safe?: boolean
  /** True: calls of partners are in the audit log too (decisions §50). */
  audited?: boolean
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
  /** True: the header `Idempotency-Key` is required. `optional`: it is read if sent. */
  idempotent?: boolean | 'optional'
  /** `caller` must include the partner's default capabilities. */
  needsPartnerDefaults?: boolean
  /** `caller` must include the limits that staff set for the client. */
  needsClientLimits?: boolean
  /** Time in milliseconds beyond the usual deadline, for operations that wait for the outside. Default 0. */
  waitsMs?: number
}

/**
 * Allowed callers; the host drops every other request. Partners (the default), merchants, operators and the public call
 * through the gateway; services must be named here, and the gateway where it calls for nobody but itself.
 */
type CallersShape =
  | { caller?: Exclude<CallerKind, 'service'>; services?: never }
  | { caller: 'service'; services: readonly [SenderName, ...SenderName[]] }

type OrNever<T> = T extends z.ZodType ? T : z.ZodUndefined

/** One operation of a resource: the only declaration of its shapes. */
export type Operation = Required<
  Omit<
    Shape,
    'params' | 'query' | 'body' | 'expected' | 'caller' | 'services' | 'http' | 'role' | 'tag' | 'preparedBy'
  >
> & {
  subject: string
  /** Subject of the operation that prepares it; null: each request belongs to all of its groups. */
  preparation: string | null
  http: Http | null
  role: StaffRole | null
  tag: Tag | null
  caller: CallerKind
  /** The senders that may call it where `caller` is `service`; else none. */
  services: readonly SenderName[]
  params: z.ZodType
  query: z.ZodType
  body: z.ZodType
  expected: z.ZodType
}

export type OperationOf<S extends Shape> = Omit<
  Operation,
  'params' | 'query' | 'body' | 'expected' | 'reply' | 'refusals' | 'caller'
> & {
  params: OrNever<S['params']>
  query: OrNever<S['query']>
  body: OrNever<S['body']>
  expected: OrNever<S['expected']>
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

/** Requires what the gateway and the API document need of an operation that has a path. */
function requireHttpFields({ http, caller = 'partner', ...shape }: Shape): void {
  if (http === undefined) return
  const { operationId, description, tag, role } = shape
  if (!operationId || !description || !tag)
    throw new Error(`${http.method} ${http.path}: declare an operationId, a description and a tag.`)
  if (!(caller in PREFIXES)) throw new Error(`${operationId}: a ${caller} has no path.`)
  if ((caller === 'operator') !== (role !== undefined))
    throw new Error(`${operationId}: declare a role if, and only if, it is an operation of staff.`)
}

/** Declares an operation; its subject is given by the resource that holds it. */
export const operation = <const S extends Shape>(shape: S): OperationOf<S> => {
  requireStrictBody(shape)
  requireHttpFields(shape)
  return {
    operationId: '',
    http: null,
    tag: null,
    fourEyes: [],
    description: '',
    caller: 'partner',
    services: [],
    params: z.undefined(),
    query: z.undefined(),
    body: z.undefined(),
    expected: z.undefined(),
    repeatable: false,
    safe: false,
    audited: false,
    refusals: [],
    badBody: 'invalid_request',
    idempotent: false,
    needsPartnerDefaults: false,
    needsClientLimits: false,
    waitsMs: 0,
    ...shape,
    role: shape.role ?? null,
    subject: '',
    preparation: null,
  } as unknown as OperationOf<S>
}

/** The operations of one resource by their names. */
export type Resource = Readonly<Record<string, Operation>>

const kebabCase = (member: string): string => member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * Names a resource: the member `listByOrder` of `resource('payments.chargebacks', { listByOrder })` listens on
 * `payments.chargebacks.list-by-order`, implemented in `services/payments/src/chargebacks/operations.ts`.
 */
export const resource = <R extends Record<string, Pick<Shape, 'preparedBy'> & { subject: string }>>(
  name: string,
  operations: R,
): R => {
  const subjectOf = (member: string) => `${name}.${kebabCase(member)}`
  const preparationOf = ({ preparedBy }: Pick<Shape, 'preparedBy'>) => {
    if (preparedBy === undefined) return null
    if (!Object.hasOwn(operations, preparedBy)) throw new Error(`${name} has no member ${preparedBy}.`)
    return subjectOf(preparedBy)
  }
  return Object.fromEntries(
    Object.entries(operations).map(([member, declared]) => [
      member,
      { ...declared, subject: subjectOf(member), preparation: preparationOf(declared) },
    ]),
  ) as unknown as R
}
