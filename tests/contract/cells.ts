import type { OperationRoute } from '../../services/gateway/src/http/route.ts'
import { inputSchema } from '../../services/gateway/src/reference/json-schema.ts'
import type { Credential, Realm } from './credentials.ts'
import { parametersOf, pathWith, unknownLike } from './parameters.ts'
import { answerToStrangers, bodyOf, referencesOf, statusForOwner } from './requests.ts'
import type { Tenant } from './tenant.ts'

/** Who owns what a request names: the caller, another, nobody any more, nobody ever. */
export type Tenants = Readonly<{ own: Tenant; another: Tenant; revoked: Tenant }>

/** One way to aim a request. */
export type Aim = Readonly<{
  name: string
  /** Whether what is aimed at lies in the path, in the body, or is the caller's own. */
  at: 'own' | 'path' | 'body'
  values: Readonly<Record<string, string>>
  body: unknown
  /** What an authorised caller gets that way. */
  answer: readonly [status: number, code: string | null]
}>

/** The part of the API that a route belongs to, as its contract has it. @throws for one that is nobody's outside */
export const realmOf = ({ operation, path }: OperationRoute): Realm => {
  const { caller } = operation
  if (caller === 'partner' || caller === 'merchant' || caller === 'operator') return caller
  throw new Error(`${path} is for ${caller}: say in tests/contract/cells.ts who may call it`)
}

const fieldsOf = ({ operation }: OperationRoute): string[] => {
  const { properties = {} } = inputSchema(operation.body) as { properties?: Record<string, unknown> }
  return Object.keys(properties)
}

/** Every path parameter alone, and all of them, replaced by what the caller must not see. */
const strangeAims = (route: OperationRoute, { own, another, revoked }: Tenants, body: unknown): Aim[] => {
  const parameters = parametersOf(route)
  const values = Object.fromEntries(parameters.map(({ name, of }) => [name, of(own)]))
  const replaced = (name: string, by: Record<string, string>): Aim => ({
    name,
    at: 'path',
    values: { ...values, ...by },
    body,
    answer: answerToStrangers(route),
  })
  const single = parameters.flatMap(({ name, of, visibleTo }) => {
    const mine = of(own)
    const unknown = [
      replaced(`an unknown ${name}`, { [name]: unknownLike(mine) }),
      replaced(`a malformed ${name}`, { [name]: `${mine}'--` }),
    ]
    const ofAnother = replaced(`another's ${name}`, { [name]: of(another) })
    if (visibleTo === 'tenant') {
      const gone = of(revoked) === mine ? [] : [replaced(`a revoked ${name}`, { [name]: of(revoked) })]
      return [...unknown, ofAnother, ...gone]
    }
    return visibleTo === 'owner' ? [...unknown, ofAnother] : unknown
  })
  const owned = parameters.filter(({ visibleTo }) => visibleTo === 'tenant')
  if (owned.length < 2) return single
  const allOf = (tenant: Tenant) => Object.fromEntries(owned.map(({ name, of }) => [name, of(tenant)]))
  return [...single, replaced("all another's", allOf(another)), replaced('all revoked', allOf(revoked))]
}

const referenceAims = (route: OperationRoute, { own, another, revoked }: Tenants): Aim[] => {
  const values = Object.fromEntries(parametersOf(route).map(({ name, of }) => [name, of(own)]))
  return referencesOf(route, fieldsOf(route)).flatMap(({ field, of, refusal, visibleTo }) => {
    const base = bodyOf(route, own) as Record<string, unknown>
    // A document fulfils; what else the status is, is not asked here.
    const status = field === 'document_id' ? { status: 'fulfilled' } : {}
    const aimed = (name: string, value: string): Aim => ({
      name: `${name} ${field}`,
      at: 'body',
      values,
      body: { ...base, ...status, [field]: value },
      answer: refusal,
    })
    const unknown = aimed('an unknown', unknownLike(of(own)))
    return visibleTo === 'anyone'
      ? [unknown]
      : [unknown, aimed("another's", of(another)), aimed('a revoked', of(revoked))]
  })
}

/** Every way to aim a request of this route, the caller's own first. */
export const aimsOf = (route: OperationRoute, tenants: Tenants): readonly [Aim, ...Aim[]] => {
  const body = bodyOf(route, tenants.own)
  const own: Aim = {
    name: 'own',
    at: 'own',
    values: Object.fromEntries(parametersOf(route).map(({ name, of }) => [name, of(tenants.own)])),
    body,
    answer: [statusForOwner(route), null],
  }
  return [own, ...strangeAims(route, tenants, body), ...referenceAims(route, tenants)]
}

/**
 * What a credential gets at a route, by what the route declares: 401 outside the part of the API that it opens, 403
 * without a scope or role that the route needs, else what the aim deserves.
 */
export const expectedOf = (
  route: OperationRoute,
  credential: Credential,
  aim: Aim,
): readonly [status: number, code: string | null] => {
  if (credential.opens !== realmOf(route)) return [401, 'unauthorized']
  if (credential.scopes !== null && !route.scopes.every((scope) => credential.scopes?.includes(scope)))
    return [403, 'insufficient_scope']
  // Decisions §14: a key of the viewers reads, each other role does its own part, and admin does all.
  if (
    credential.role !== null &&
    ![credential.role, 'viewer'].includes(route.role ?? '') &&
    credential.role !== 'admin'
  )
    return [403, 'insufficient_scope']
  if (credential.is === 'other' && isOnesOwn(route)) return answerToStrangers(route)
  return aim.answer
}

/** Whether the path names something that only its owner sees. */
const isOnesOwn = (route: OperationRoute): boolean =>
  parametersOf(route).some(({ visibleTo }) => visibleTo === 'tenant')

/** The path and the body of an aim as they are sent. */
export const requestOf = (route: OperationRoute, aim: Aim) => ({
  method: route.method,
  target: pathWith(route, aim.values),
  ...(aim.body === undefined
    ? { headers: {} }
    : {
        headers: { 'content-type': route.csv ? 'text/csv' : 'application/json' },
        body: route.csv ? (aim.body as string) : JSON.stringify(aim.body),
      }),
})
