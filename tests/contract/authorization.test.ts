import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { signSandboxPost } from '../../packages/rails/src/card/sandbox/signature.ts'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { type OperationRoute, operationRoutes } from '@causeway/contracts/http'
import { startTestPlatform, type TestPlatform } from '../journeys/platform.ts'
import { describeScreenIsolation } from '../screens/isolation/screens.ts'
import { describeScreenSample } from '../screens/sample.ts'
import { timeOf } from '../screens/isolation/purged-rows.ts'
import { expiredVisitors, type Expired } from '../screens/visitors.ts'
import { variantsOf, expectedOf, requestOf, type RequestVariant, type Tenants } from './request-variants.ts'
import { createCredentials, expiredToken, type Credential } from './credentials.ts'
import { differenceOf, openDatabases, type Databases, type Rows } from './database.ts'
import { forEachOf, openHttp, type Http, type Received } from './http.ts'
import { parametersOf, pathWith } from './parameters.ts'
import { freshTargetOf } from './fresh-targets.ts'
import {
  newDifference,
  postponePolls,
  preparePlatform,
  whenDisputesAreJudged,
  whenSessionsHaveEnded,
} from './platform-state.ts'
import { buildTenant, newContractPartner, startWebhookReceiver, type Tenant } from './tenant.ts'

const AT_ONCE = 24
/** Tables that change legitimately: audit log, deliveries and the like. */
const TABLES_WITH_SIDE_EFFECTS = [
  'audit_entries',
  'outbox_events',
  'inbox',
  'deliveries',
  'attempts',
  'events',
]

const CARD_SECRET = 'card secret of the authorization matrix'
const ONRAMP_SECRET = 'onramp secret of the authorization matrix'

let platform: TestPlatform
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
let http: Http
let databases: Databases
let tenants: Tenants
let credentials: Credential[]
let expiredSessions: Expired
let before: { rows: Rows; reads: Map<string, unknown> }

/** Everything that the tenant can read, by path. */
const readsOf = async (victim: Tenant): Promise<Map<string, unknown>> => {
  const reads = new Map<string, unknown>()
  for (const route of operationRoutes) {
    const { caller } = route.operation
    if (route.method !== 'GET' || caller === 'operator') continue
    const values = Object.fromEntries(parametersOf(route).map(({ name, of }) => [name, of(victim)]))
    const path = pathWith(route, values)
    const data = dataOf<Record<string, unknown>>(
      await (caller === 'partner' ? victim.partner : victim.merchant).get(path),
    )
    // Each call creates a new download link, and balances say when they were read.
    const read = JSON.stringify(data)
    reads.set(
      path,
      JSON.parse(read.replaceAll(/"(as_of|download_url|url|expires_at)":"[^"]*"/g, '"$1":null')),
    )
  }
  return reads
}

const namesOf = ({ partnerId, ids }: Tenant) => [partnerId, ids.relationship, ids.merchant]

beforeAll(async () => {
  platform = await startTestPlatform({
    CREDENTIAL_FAILURES_PER_SECOND: '100000',
    CREDENTIAL_FAILURES_BURST: '100000',
    CHARGEBACK_THRESHOLD_MIN: '1000',
    // Rows change by requests alone.
    CARD_POLL_AFTER: '24h',
    ONRAMP_POLL_AFTER: '24h',
    REFUND_RECONCILIATION_INTERVAL: '24h',
    SANDBOX_CARD_SECRET: CARD_SECRET,
    SANDBOX_ONRAMP_SECRET: ONRAMP_SECRET,
  })
  databases = await openDatabases(platform)
  http = openHttp(platform.baseUrl)
  receiver = await startWebhookReceiver()
  expiredSessions = await expiredVisitors(platform)
  const expired = await expiredToken(platform, await newContractPartner(platform))
  const partner = await newContractPartner(platform)
  const other = await newContractPartner(platform)
  await preparePlatform(platform, databases)
  const of = ({ partnerId, api, causeway }: typeof partner) => ({
    platform,
    receiver,
    partnerId,
    partner: api,
    causeway,
  })
  const [own, another, revoked] = await Promise.all(
    [partner, other, partner].map((each) => buildTenant(of(each))),
  )
  if (own === undefined || another === undefined || revoked === undefined)
    throw new Error('A tenant is missing')
  tenants = { own, another, revoked }
  const { relationship } = tenants.revoked.ids
  dataOf(await platform.staff.post(`/api/operator/customers/${relationship}/revoke`))
  credentials = await createCredentials({
    platform,
    client: partner,
    tenant: tenants.own,
    otherPartner: await newContractPartner(platform),
    expired,
    needed: operationRoutes.flatMap(({ scopes }) => (scopes.length === 0 ? [] : [scopes])),
  })
  await postponePolls(databases)
  await whenDisputesAreJudged(databases)
  await whenSessionsHaveEnded(databases, await timeOf(platform))
  before = {
    rows: await databases.rows(TABLES_WITH_SIDE_EFFECTS, namesOf(tenants.another)),
    reads: await readsOf(tenants.another),
  }
})
afterAll(async () => {
  await http.close()
  await databases.close()
  await platform.stop()
  await receiver.stop()
})

/** A response without what differs between any two: the request id and header values. */
const shapeOf = ({ status, headers, text }: Received): string => {
  const body = text.replaceAll(/"(req_[0-9a-z]{26})"/g, '"req"')
  return `${status} ${Object.keys(headers).sort().join(',')} ${body}`
}
const codeOf = ({ text }: Received): string | null =>
  (JSON.parse(text === '' ? '{}' : text) as { error?: { code: string } }).error?.code ?? null

const ask = (route: OperationRoute, credential: Credential, variant: RequestVariant): Promise<Received> => {
  const request = requestOf(route, variant)
  const key = route.operation.idempotent
    ? { 'idempotency-key': `${route.operation.subject} ${variant.name}`.replaceAll(/[^!-~]/g, '-') }
    : {}
  return http.send({ ...request, headers: { ...request.headers, ...key, ...credential.headers } })
}

/** Sends every request of a route that a credential must be refused. @returns how many, and the faults */
const requestRefused = async (route: OperationRoute, credential: Credential): Promise<[number, string[]]> => {
  const faults: string[] = []
  const shapes = new Map<number, string>()
  let cells = 0
  for (const variant of variantsOf(route, tenants)) {
    const [status, code] = expectedOf(route, credential, variant)
    const isAllowed = variant.at === 'own' && code === null
    // Allowed requests are the next test's. References in bodies are tested with the tenant's own credentials only.
    if (isAllowed && (route.method !== 'GET' || credential.is === 'other')) continue
    if (variant.at === 'body' && credential.is === 'other') continue
    cells += 1
    const answer = await ask(route, credential, variant)
    const found = `${answer.status} ${codeOf(answer) ?? ''}`
    const cell = `${route.method} ${route.path}, ${credential.name}, ${variant.name}`
    if (found !== `${status} ${code ?? ''}`) faults.push(`${cell}: ${found}, not ${status} ${code ?? ''}`)
    if (isAllowed) continue
    const shape = shapes.get(status) ?? shapeOf(answer)
    shapes.set(status, shape)
    if (shape !== shapeOf(answer)) faults.push(`${cell}: ${shapeOf(answer)}\ndiffers from ${shape}`)
  }
  return [cells, faults]
}

test('answers every credential and every target as each operation declares, and hides the resources of others', async () => {
  const faults: string[] = []
  let cells = 0
  const tryAll = async (route: OperationRoute, all: readonly Credential[]) => {
    for (const credential of all) {
      const [sent, wrong] = await requestRefused(route, credential)
      cells += sent
      faults.push(...wrong)
    }
  }
  // Uploads are sent one after the other: a client may have eight in flight.
  const work = operationRoutes.flatMap((route) =>
    route.upload
      ? [() => tryAll(route, credentials)]
      : credentials.map((credential) => () => tryAll(route, [credential])),
  )
  await forEachOf(work, AT_ONCE, (each) => each())
  expect(faults).toEqual([])
  expect(cells).toBeGreaterThan(10_000)
})

test('succeeds for the owner of every operation as declared, once for each credential that allows it', async () => {
  const faults: string[] = []
  for (const route of operationRoutes) {
    for (const credential of credentials) {
      // Made for each call: some bodies are taken only once.
      const [own] = variantsOf(route, tenants)
      const [status, code] = expectedOf(route, credential, own)
      if (route.method === 'GET' || code !== null || credential.is === 'other') continue
      const fresh = await freshTargetOf(route, tenants.own, {
        platform,
        newDifference: () => newDifference(databases),
      })
      const answer = await ask(route, credential, { ...own, values: { ...own.values, ...fresh } })
      if (answer.status !== status)
        faults.push(
          `${route.method} ${route.path}, ${credential.name}: ${answer.status} instead of ${status}: ${answer.text.slice(0, 300)}`,
        )
    }
  }
  expect(faults).toEqual([])
})

const CALLBACKS = [
  ['/api/callbacks/cards/processor', CARD_SECRET],
  ['/api/callbacks/cards/processor_full/authorizations', CARD_SECRET],
  ['/api/callbacks/onramp/provider', ONRAMP_SECRET],
] as const

test.each(CALLBACKS)('accepts only its own signature and no credential at %s', async (target, secret) => {
  const signedBy = (by: string, at: Date) => ({
    'sandbox-signature': signSandboxPost(by, Buffer.from('{}'), at),
  })
  const post = async (path: string, headers: Record<string, string>) => {
    const answer = await http.send({ method: 'POST', target: path, headers, body: '{}' })
    return `${answer.status} ${codeOf(answer) ?? ''}`
  }
  for (const { headers } of credentials) expect(await post(target, headers)).toBe('401 unauthorized')
  const now = new Date()
  const other = secret === CARD_SECRET ? ONRAMP_SECRET : CARD_SECRET
  expect(await post(target, signedBy(other, now))).toBe('401 unauthorized')
  expect(await post(target, signedBy(secret, new Date(now.getTime() - 3_600_000)))).toBe('401 unauthorized')
  // A signed body is parsed, and this one lacks every field.
  expect(await post(target, signedBy(secret, now))).toBe('400 invalid_request')
  expect(await post(target.replace(/(cards|onramp).[a-z_]+/, '$1/unknown'), signedBy(secret, now))).toBe(
    '404 resource_not_found',
  )
})

describeScreenIsolation(() => ({ platform, databases, http, tenants, expired: expiredSessions }))

test('changes nothing of another tenant by any of these requests', async () => {
  const reads = await readsOf(tenants.another)
  expect(Object.fromEntries(reads)).toEqual(Object.fromEntries(before.reads))
  const rows = await databases.rows(TABLES_WITH_SIDE_EFFECTS, namesOf(tenants.another))
  expect(differenceOf(before.rows, rows)).toEqual({})
})

describeScreenSample(() => ({ platform, own: tenants.own, another: tenants.another }))
