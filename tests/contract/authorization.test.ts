import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { signSandboxPost } from '../../packages/rails/src/card/sandbox/signature.ts'
import { dataOf } from '../../scripts/demo/api-client.ts'
import type { OperationRoute } from '../../services/gateway/src/http/route.ts'
import { operationRoutes } from '../../services/gateway/src/routes/table.ts'
import { startTestPlatform, type TestPlatform } from '../journeys/platform.ts'
import { aimsOf, expectedOf, requestOf, type Aim, type Tenants } from './cells.ts'
import { castOf, expiredToken, type Credential } from './credentials.ts'
import { differenceOf, openDatabases, type Databases, type Rows } from './database.ts'
import { forEachOf, openHttp, type Http, type Received } from './http.ts'
import { parametersOf, pathWith } from './parameters.ts'
import { freshTargetOf } from './fresh-targets.ts'
import { newDifference, preparePlatform } from './platform-state.ts'
import { buildTenant, newContractPartner, startSink, type Tenant } from './tenant.ts'

const AT_ONCE = 24
/** Tables in which staff's acts and the deliveries of the tenants' events are written down. */
const WRITTEN_BESIDES = [
  'audit_entries',
  'outbox',
  'inbox',
  'deliveries',
  'attempts',
  'events',
  'onramp_orders',
]

const CARD_SECRET = 'card secret of the authorization matrix'
const ONRAMP_SECRET = 'onramp secret of the authorization matrix'

let platform: TestPlatform
let sink: Awaited<ReturnType<typeof startSink>>
let http: Http
let databases: Databases
let tenants: Tenants
let credentials: Credential[]
let before: { rows: Rows; reads: Map<string, unknown> }

/** What the victim reads of its own, everywhere. */
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
    // A download link is made for each call.
    reads.set(path, { ...data, download_url: null, expires_at: null })
  }
  return reads
}

const namesOf = ({ partnerId, ids }: Tenant) => [partnerId, ids.relationship, ids.merchant]

beforeAll(async () => {
  platform = await startTestPlatform({
    CREDENTIAL_FAILURES_PER_SECOND: '100000',
    CREDENTIAL_FAILURES_BURST: '100000',
    CHARGEBACK_THRESHOLD_MIN: '1000',
    SANDBOX_CARD_SECRET: CARD_SECRET,
    SANDBOX_ONRAMP_SECRET: ONRAMP_SECRET,
  })
  databases = await openDatabases(platform)
  http = openHttp(platform.baseUrl)
  sink = await startSink()
  const expired = await expiredToken(platform, await newContractPartner(platform))
  const partner = await newContractPartner(platform)
  const other = await newContractPartner(platform)
  await preparePlatform(platform, databases)
  const of = ({ partnerId, api }: typeof partner) => ({ platform, sink, partnerId, partner: api })
  const [own, another, revoked] = await Promise.all(
    [partner, other, partner].map((each) => buildTenant(of(each))),
  )
  if (own === undefined || another === undefined || revoked === undefined)
    throw new Error('A tenant is missing')
  tenants = { own, another, revoked }
  const { relationship } = tenants.revoked.ids
  dataOf(await platform.staff.post(`/api/operator/customers/${relationship}/revoke`))
  credentials = await castOf({
    platform,
    client: partner,
    tenant: tenants.own,
    stranger: await newContractPartner(platform),
    expired,
    needed: operationRoutes.flatMap(({ scopes }) => (scopes.length === 0 ? [] : [scopes])),
  })
  before = {
    rows: await databases.rows(WRITTEN_BESIDES, namesOf(tenants.another)),
    reads: await readsOf(tenants.another),
  }
})
afterAll(async () => {
  await http.close()
  await databases.close()
  await platform.stop()
  await sink.stop()
})

/** An answer without what every answer has of its own. */
const shapeOf = ({ status, headers, text }: Received): string => {
  const body = text.replaceAll(/"(req_[0-9a-z]{26})"/g, '"req"')
  return `${status} ${Object.keys(headers).sort().join(',')} ${body}`
}
const codeOf = ({ text }: Received): string | null =>
  (JSON.parse(text === '' ? '{}' : text) as { error?: { code: string } }).error?.code ?? null

const ask = (route: OperationRoute, credential: Credential, aim: Aim): Promise<Received> => {
  const request = requestOf(route, aim)
  const key = route.operation.idempotent
    ? { 'idempotency-key': `${route.operation.subject} ${aim.name}`.replaceAll(/[^!-~]/g, '-') }
    : {}
  return http.send({ ...request, headers: { ...request.headers, ...key, ...credential.headers } })
}

/** Asks for everything that a credential does not get at a route. @returns how many cells that were, and what was wrong */
const tryRefused = async (route: OperationRoute, credential: Credential): Promise<[number, string[]]> => {
  const faults: string[] = []
  const shapes = new Map<number, string>()
  let cells = 0
  for (const aim of aimsOf(route, tenants)) {
    const [status, code] = expectedOf(route, credential, aim)
    const isAllowed = aim.at === 'own' && code === null
    // What is allowed is done one by one in the next test. What a stranger's body names is not asked for here.
    if (isAllowed && (route.method !== 'GET' || credential.is === 'other')) continue
    if (aim.at === 'body' && credential.is === 'other') continue
    cells += 1
    const answer = await ask(route, credential, aim)
    const found = `${answer.status} ${codeOf(answer) ?? ''}`
    const cell = `${route.method} ${route.path}, ${credential.name}, ${aim.name}`
    if (found !== `${status} ${code ?? ''}`) faults.push(`${cell}: ${found}, not ${status} ${code ?? ''}`)
    if (isAllowed) continue
    const shape = shapes.get(status) ?? shapeOf(answer)
    shapes.set(status, shape)
    if (shape !== shapeOf(answer)) faults.push(`${cell}: ${shapeOf(answer)}\ndiffers from ${shape}`)
  }
  return [cells, faults]
}

test('every operation answers every credential and every target as it is declared: what is not yours does not exist', async () => {
  const faults: string[] = []
  let cells = 0
  const tryAll = async (route: OperationRoute, all: readonly Credential[]) => {
    for (const credential of all) {
      const [asked, wrong] = await tryRefused(route, credential)
      cells += asked
      faults.push(...wrong)
    }
  }
  // Uploads come one after the other: a client may have eight under way.
  const work = operationRoutes.flatMap((route) =>
    route.upload
      ? [() => tryAll(route, credentials)]
      : credentials.map((credential) => () => tryAll(route, [credential])),
  )
  await forEachOf(work, AT_ONCE, (each) => each())
  expect(faults).toEqual([])
  expect(cells).toBeGreaterThan(10_000)
})

test('every operation does for its owner what it declares, once for each credential that may', async () => {
  const faults: string[] = []
  for (const route of operationRoutes) {
    const [own] = aimsOf(route, tenants)
    for (const credential of credentials) {
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

test.each(CALLBACKS)('%s believes its own signature and no credential', async (target, secret) => {
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
  // What is signed is read, and this one says nothing.
  expect(await post(target, signedBy(secret, now))).toBe('400 invalid_request')
  expect(await post(target.replace(/(cards|onramp).[a-z_]+/, '$1/unknown'), signedBy(secret, now))).toBe(
    '404 resource_not_found',
  )
})

test('nothing of another tenant was changed by any of it', async () => {
  const reads = await readsOf(tenants.another)
  expect(Object.fromEntries(reads)).toEqual(Object.fromEntries(before.reads))
  const rows = await databases.rows(WRITTEN_BESIDES, namesOf(tenants.another))
  expect(differenceOf(before.rows, rows)).toEqual({})
})
