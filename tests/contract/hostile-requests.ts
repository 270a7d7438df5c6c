import fc from 'fast-check'
import { signSandboxPost } from '../../packages/rails/src/card/sandbox/signature.ts'
import { type OperationRoute, operationRoutes } from '@causeway/contracts/http'
import type { ApiDocument, ApiOperation, Parameter } from '@causeway/reference'
import { hostileJson, hostileSegment, corrupted, type Schema } from './hostile-values.ts'
import type { Sent } from './http.ts'
import { parametersOf, platformIds } from './parameters.ts'
import { bodyOf } from './requests.ts'
import { newKey, type Tenant } from './tenant.ts'

/** An operation of the document, with what its requests are built from. */
export type Target = Readonly<{
  /** As in the document. */
  path: string
  method: string
  operation: ApiOperation
  /** Valid values of its path parameters. */
  values: Readonly<Record<string, string>>
  /** A valid body; undefined: none. */
  base: unknown
  type: string
  /** Headers with the credential; of callbacks, the signature of this body. */
  headers: (body: Buffer | string) => Readonly<Record<string, string>>
}>

export type Callers = Readonly<{
  tenant: Tenant
  /** The tenant that staff's requests name: they may destroy what the other tenant's own requests need. */
  subject: Tenant
  bearer: Readonly<Record<string, string>>
  operatorKey: string
  cardSecret: string
  onrampSecret: string
  now: () => Date
}>

const JSON_TYPE = 'application/json'

const headersOf = (route: OperationRoute, { tenant, bearer, operatorKey }: Callers) => {
  const key = route.operation.idempotent
  const credential = {
    partner: bearer,
    merchant: { 'x-api-key': tenant.merchantKey },
    operator: { authorization: `Bearer ${operatorKey}` },
  }[route.operation.caller as 'partner' | 'merchant' | 'operator']
  return () => ({ ...credential, ...(key ? newKey() : {}) })
}

const routeTarget = (route: OperationRoute, document: ApiDocument, callers: Callers): Target => {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
  const operation = document.paths[path]?.[route.method.toLowerCase()]
  if (operation === undefined) throw new Error(`${route.method} ${path} is not in the document`)
  const owner = route.operation.caller === 'operator' ? callers.subject : callers.tenant
  return {
    path,
    method: route.method,
    operation,
    values: Object.fromEntries(parametersOf(route).map(({ name, of }) => [name, of(owner)])),
    base: bodyOf(route, owner),
    type: route.csv ? 'text/csv' : JSON_TYPE,
    headers: headersOf(route, callers),
  }
}

type PublicRequest = Readonly<{
  values?: Readonly<Record<string, string>>
  base?: unknown
  headers?: Target['headers']
}>

/** Requests of the paths that need no credential, by path. */
const publicRequests = (callers: Callers): Readonly<Record<string, PublicRequest>> => {
  const signed = (secret: string) => (body: Buffer | string) => ({
    'sandbox-signature': signSandboxPost(secret, Buffer.from(body), callers.now()),
  })
  const { ids } = callers.tenant
  const notice = {
    notice_id: 'sbn_0123456789abcdef01234567',
    processor: 'processor',
    event: 'payment.completed',
    kind: 'payment',
    payment_id: 'sbp_0123456789abcdef',
    order_key: ids.fiatOrder,
    created_at: '2026-01-01T00:00:00.000Z',
  }
  const purchase = {
    order_id: 'sbr_0123456789abcdef01234567',
    external_id: ids.order,
    status: 'complete',
    changed_at: '2026-01-01T00:00:00.000Z',
    order_type: 'CRYPTO-BUY',
    fiat: 'EUR',
    fiat_amount: '50.00',
    crypto: 'BTC',
    crypto_amount: '0.001',
    blockchain: 'BTC',
    transaction_hash: '0xab',
    checkout_url: 'http://127.0.0.1/buy',
    order_status_url: null,
  }
  const asks = {
    processor: 'processor',
    payment_id: notice.payment_id,
    order_key: notice.order_key,
    payer_ip: '192.0.2.1',
    payer_email: 'a@example.com',
  }
  return {
    '/api/oauth/token': {
      base: { grant_type: 'client_credentials', client_id: 'cli_x', client_secret: 'x', scope: 'kyb:read' },
    },
    '/api/oauth/revoke': { base: { token: 'x', client_id: 'cli_x', client_secret: 'x' } },
    '/.well-known/jwks.json': {},
    '/.well-known/oauth-authorization-server': {},
    '/api/callbacks/cards/{processor}': {
      values: { processor: 'processor' },
      base: notice,
      headers: signed(callers.cardSecret),
    },
    '/api/callbacks/cards/{processor}/authorizations': {
      values: { processor: 'processor' },
      base: asks,
      headers: signed(callers.cardSecret),
    },
    '/api/callbacks/onramp/{provider}': {
      values: { provider: 'provider' },
      base: { provider: 'provider', order: purchase },
      headers: signed(callers.onrampSecret),
    },
    '/qr/{file}': { values: { file: `${ids.order}.png` } },
    '/logos/{contentHash}': { values: { contentHash: '0'.repeat(64) } },
    '/agreements/{agreementId}/{contentHash}': {
      values: { agreementId: platformIds.agreement, contentHash: '0'.repeat(64) },
    },
    '/downloads/{token}': { values: { token: 'v1.abc' } },
    '/downloads/reports/{token}': { values: { token: 'v1.abc' } },
    '/downloads/payment-files/{token}': { values: { token: 'v1.abc' } },
    '/healthz': {},
    '/readyz': {},
    '/openapi.json': {},
    '/openapi.operator.json': {},
    '/docs': {},
    '/docs/{file}': { values: { file: 'receiving' } },
  }
}

/** Every operation of the document. @throws Error naming an operation without a known request */
export const targetsOf = (document: ApiDocument, callers: Callers): Target[] => {
  const routed = operationRoutes.map((route) => routeTarget(route, document, callers))
  const known = new Set(routed.map(({ method, path }) => `${method.toLowerCase()} ${path}`))
  const requests = publicRequests(callers)
  const open = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => !known.has(`${method} ${path}`))
      .map(([method, operation]): Target => {
        const request = requests[path]
        if (request === undefined)
          throw new Error(
            `${method} ${path}: add a request of it to publicRequests in tests/contract/hostile-requests.ts`,
          )
        const { values = {}, base, headers = () => ({}) } = request
        return { path, method: method.toUpperCase(), operation, values, base, type: JSON_TYPE, headers }
      }),
  )
  // Deletions come last, so that the other requests find their targets.
  const last = ({ method }: Target) => Number(method === 'DELETE')
  return [...routed, ...open].toSorted((a, b) => last(a) - last(b))
}

const bodies = ({ base, operation, type }: Target): fc.Arbitrary<Buffer | string | undefined> => {
  if (base === undefined && operation.requestBody === undefined) return fc.constant(undefined)
  if (typeof base === 'string')
    return fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      corrupted(fc.constant(`${base}1,2,3`)),
      fc.string({ maxLength: 80 }).map((line) => `${base}${line}\n`),
    )
  const schema = (operation.requestBody?.content[type]?.schema ?? {}) as Schema
  // A callback in its sender's format has no schema: its fields are inferred from the valid body.
  const inferred = schema.properties === undefined ? schemaOf(base) : schema
  const json = hostileJson(base ?? {}, inferred)
  return fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: corrupted(json) })
}

const schemaOf = (value: unknown): Schema =>
  typeof value === 'object' && value !== null
    ? {
        type: 'object',
        properties: Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)])),
      }
    : { type: 'string', maxLength: 255 }

const pathsOf = ({ path, values }: Target): fc.Arbitrary<string> => {
  const names = Object.keys(values)
  const withValue = (by: Record<string, string> = {}) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => by[name] ?? encodeURIComponent(values[name] ?? ''))
  const own = fc.constant(withValue())
  if (names.length === 0) return own
  const strange = fc
    .constantFrom(...names)
    .chain((name) => hostileSegment(values[name] ?? '').map((segment) => withValue({ [name]: segment })))
  return fc.oneof({ weight: 3, arbitrary: own }, { weight: 1, arbitrary: strange })
}

const queriesOf = ({ operation }: Target): fc.Arbitrary<string> => {
  const names = ((operation.parameters ?? []) as readonly Parameter[]).flatMap(({ name, in: where }) =>
    where === 'query' ? [name] : [],
  )
  if (names.length === 0)
    return fc.oneof(
      { weight: 15, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.constant('?unknown=1') },
    )
  const one = fc
    .tuple(
      // An unknown parameter is refused before any value is read.
      fc.oneof(
        { weight: 15, arbitrary: fc.constantFrom(...names) },
        { weight: 1, arbitrary: fc.constant('unknown') },
      ),
      hostileSegment('10'),
    )
    .map(([name, value]) => `${name}=${value}`)
  return fc.array(one, { maxLength: 3 }).map((all) => (all.length === 0 ? '' : `?${all.join('&')}`))
}

const typesOf = ({ type }: Target): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constant(type) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'text/plain',
        `${type}; charset=utf-16`,
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
      ),
    },
  )

/** Hostile requests of one operation: a valid one with a few changes of body, path, query and content type. */
export const hostileRequests = (target: Target): fc.Arbitrary<Sent> =>
  fc
    .tuple(bodies(target), pathsOf(target), queriesOf(target), typesOf(target))
    .map(([body, path, query, type]) => ({
      method: target.method,
      target: `${path}${query}`,
      headers: { ...(body === undefined ? {} : { 'content-type': type }), ...target.headers(body ?? '') },
      ...(body === undefined ? {} : { body }),
    }))
