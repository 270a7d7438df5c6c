import type { OperationRoute } from '@causeway/contracts/http'
import { z } from 'zod'
import type { Credential, Realm } from './credentials.ts'
import { parametersOf, pathWith, unknownLike } from './parameters.ts'
import { answerWhenNotVisible, bodyOf, referencesOf, statusForOwner } from './requests.ts'
import type { Tenant } from './tenant.ts'

/** Owners of what a request names: the caller, another tenant, and one whose relationship was revoked. */
export type Tenants = Readonly<{ own: Tenant; another: Tenant; revoked: Tenant }>

/** A request of a route, by whose objects it names. */
export type RequestVariant = Readonly<{
  name: string
  /** Where an object that is not the caller's is named; `own`: nowhere. */
  at: 'own' | 'path' | 'body'
  values: Readonly<Record<string, string>>
  body: unknown
  /** The expected response to an authorised caller. */
  answer: readonly [status: number, code: string | null]
}>

/** The part of the API that a route belongs to, by its contract. @throws for a route of no external caller */
export const realmOf = ({ operation, path }: OperationRoute): Realm => {
  const { caller } = operation
  if (caller === 'partner' || caller === 'merchant' || caller === 'operator') return caller
  throw new Error(`${path} is for ${caller}: say in tests/contract/request-variants.ts who may call it`)
}

const fieldsOf = ({ operation }: OperationRoute): string[] => {
  const { properties = {} } = z.toJSONSchema(operation.body, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, unknown>
  }
  return Object.keys(properties)
}

/** Each path parameter alone, and all of them, replaced by ids that the caller must not see. */
const pathVariants = (
  route: OperationRoute,
  { own, another, revoked }: Tenants,
  body: unknown,
): RequestVariant[] => {
  const parameters = parametersOf(route)
  const values = Object.fromEntries(parameters.map(({ name, of }) => [name, of(own)]))
  const replaced = (name: string, by: Record<string, string>): RequestVariant => ({
    name,
    at: 'path',
    values: { ...values, ...by },
    body,
    answer: answerWhenNotVisible(route),
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
    return visibleTo === 'anyone' ? unknown : [...unknown, ofAnother]
  })
  const owned = parameters.filter(({ visibleTo }) => visibleTo === 'tenant')
  if (owned.length < 2) return single
  const allOf = (tenant: Tenant) => Object.fromEntries(owned.map(({ name, of }) => [name, of(tenant)]))
  return [...single, replaced("all another's", allOf(another)), replaced('all revoked', allOf(revoked))]
}

const bodyVariants = (route: OperationRoute, { own, another, revoked }: Tenants): RequestVariant[] => {
  const values = Object.fromEntries(parametersOf(route).map(({ name, of }) => [name, of(own)]))
  return referencesOf(route, fieldsOf(route)).flatMap(({ field, of, refusal, visibleTo }) => {
    const base = bodyOf(route, own) as Record<string, unknown>
    // Only the status `fulfilled` takes a document.
    const status = field === 'document_id' ? { status: 'fulfilled' } : {}
    const withReference = (name: string, value: string): RequestVariant => ({
      name: `${name} ${field}`,
      at: 'body',
      values,
      body: { ...base, ...status, [field]: value },
      answer: refusal,
    })
    const unknown = withReference('an unknown', unknownLike(of(own)))
    return visibleTo === 'anyone'
      ? [unknown]
      : [unknown, withReference("another's", of(another)), withReference('a revoked', of(revoked))]
  })
}

/** All variants of a request of this route, the caller's own first. */
export const variantsOf = (
  route: OperationRoute,
  tenants: Tenants,
): readonly [RequestVariant, ...RequestVariant[]] => {
  const body = bodyOf(route, tenants.own)
  const status = statusForOwner(route)
  const codes: Readonly<Record<number, string>> = {
    404: 'resource_not_found',
    ...(route.method === 'GET' && { 409: 'invalid_state' }),
    503: 'temporarily_unavailable',
  }
  const own: RequestVariant = {
    name: 'own',
    at: 'own',
    values: Object.fromEntries(parametersOf(route).map(({ name, of }) => [name, of(tenants.own)])),
    body,
    // A resource that is not there yet is answered like an unknown one. A read that the order's state refuses changes nothing.
    answer: [status, codes[status] ?? null],
  }
  return [own, ...pathVariants(route, tenants, body), ...bodyVariants(route, tenants)]
}

/**
 * The expected response to a credential, by what the route declares: 401 outside the part of the API that the
 * credential is for, 403 without a required scope or role, else the variant's answer.
 */
export const expectedOf = (
  route: OperationRoute,
  credential: Credential,
  variant: RequestVariant,
): readonly [status: number, code: string | null] => {
  if (credential.opens !== realmOf(route)) return [401, 'unauthorized']
  if (credential.scopes !== null && !route.scopes.every((scope) => credential.scopes?.includes(scope)))
    return [403, 'insufficient_scope']
  // Decisions §14: viewers read, every other role also does its own part, and admin does everything.
  if (
    credential.role !== null &&
    ![credential.role, 'viewer'].includes(route.role ?? '') &&
    credential.role !== 'admin'
  )
    return [403, 'insufficient_scope']
  if (credential.is === 'other' && hasTenantParameter(route)) return answerWhenNotVisible(route)
  return variant.answer
}

/** True if the path names a resource that only its tenant or its partner sees. */
const hasTenantParameter = (route: OperationRoute): boolean =>
  parametersOf(route).some(({ visibleTo }) => visibleTo === 'tenant' || visibleTo === 'partner')

/** The HTTP request of a variant. */
export const requestOf = (route: OperationRoute, variant: RequestVariant) => ({
  method: route.method,
  target: pathWith(route, variant.values),
  ...(variant.body === undefined
    ? { headers: {} }
    : {
        headers: { 'content-type': route.csv ? 'text/csv' : 'application/json' },
        body: route.csv ? (variant.body as string) : JSON.stringify(variant.body),
      }),
})
