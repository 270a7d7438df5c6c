import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { registry } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { parse } from 'yaml'
import { dashboard } from '../../scripts/monitoring/dashboard.ts'
import { createRawClient, dataOf, signIn } from '@causeway/dev-env/platform/raw-client'
import { exportedBy, wantedBy } from './metric-names.ts'
import { newPartner, signUp, startTestPlatform, type TestPlatform } from './platform.ts'

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>

beforeAll(async () => {
  platform = await startTestPlatform({ LOG_LEVEL: 'info' })
  partner = await newPartner(platform)
})
afterAll(() => platform.stop())

type Line = Readonly<Record<string, unknown>> & { event?: string; requestId?: string }

const logText = (): string => {
  const folder = join(platform.dataDir, 'logs')
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
}
const lines = (): Line[] =>
  logText()
    .split('\n')
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => JSON.parse(line) as Line)
/** Waits for lines of a request with this event code. */
const linesOf = (requestId: string, event: string) =>
  eventually(() => {
    const found = lines().filter((line) => line.requestId === requestId && line.event === event)
    return found.length > 0 && found
  })
const requestOf = (answer: { headers: Headers }) => answer.headers.get('x-request-id') ?? ''
const as = (headers: Record<string, string>) => createRawClient({ baseUrl: platform.baseUrl, headers })

describe('a request', () => {
  test('writes one line with the caller, the route, the status and the duration', async () => {
    const { path: customer } = await signUp(partner.causeway)
    // The operation has no such parameter, and refuses it.
    const answer = await partner.api.get(`${customer}?canary=in-the-query`)
    expect(await linesOf(requestOf(answer), 'http.request')).toEqual([
      {
        level: 30,
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        service: 'gateway',
        event: 'http.request',
        requestId: requestOf(answer),
        client: partner.clientId,
        network: '127.0.0.0/24',
        method: 'GET',
        route: '/api/v1/partner/customers/:customerId',
        status: 400,
        durationMs: expect.any(Number),
        msg: 'Request',
      },
    ])
  })

  test('is logged without a valid credential or a route, too', async () => {
    const answer = await as({}).get('/canary-in-the-path')
    const [line] = await linesOf(requestOf(answer), 'http.request')
    expect(line).toMatchObject({ route: '', status: 404, network: '127.0.0.0/24' })
    expect(line).not.toHaveProperty('client')
  })
})

describe('a refused request', () => {
  test.each([
    ['no credential', {}, '/api/v1/partner/customers', 'access_token', 'missing'],
    [
      'a malformed token',
      { authorization: 'canary' },
      '/api/v1/partner/customers',
      'access_token',
      'malformed',
    ],
    [
      'a forged token',
      { authorization: 'Bearer canary.canary.canary' },
      '/api/v1/partner/customers',
      'access_token',
      'forged',
    ],
    [
      'a malformed merchant key',
      { 'x-api-key': 'canary' },
      '/api/user/webhooks',
      'merchant_key',
      'malformed',
    ],
    [
      'an unknown merchant key',
      { 'x-api-key': `mk_canary${'x'.repeat(37)}` },
      '/api/user/webhooks',
      'merchant_key',
      'unknown',
    ],
    [
      'an unknown staff key',
      { authorization: `Bearer staff_canary${'x'.repeat(37)}` },
      '/api/operator/partners',
      'staff_key',
      'unknown',
    ],
  ])('is logged with a code and a reason: %s', async (_, headers, path, kind, reason) => {
    const answer = await as(headers).get(path)
    expect(answer.status).toBe(401)
    expect(await linesOf(requestOf(answer), 'auth.refused')).toEqual([
      expect.objectContaining({ kind, reason, route: path, network: '127.0.0.0/24', limited: false }),
    ])
  })

  test('is logged with a reason for a token of a disabled client, and for a wrong secret', async () => {
    const doomed = await newPartner(platform)
    await platform.staff.patch(`/api/operator/clients/${doomed.clientId}`, { status: 'disabled' })
    const refused = await doomed.api.get('/api/v1/partner/customers')
    expect(await linesOf(requestOf(refused), 'auth.refused')).toMatchObject([{ reason: 'ended' }])
    const answer = await fetch(`${platform.baseUrl}/api/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: partner.clientId,
        client_secret: 'canary-secret',
      }),
    })
    expect(await linesOf(requestOf(answer), 'auth.refused')).toMatchObject([
      { kind: 'client_secret', reason: 'unknown', claimed: partner.clientId },
    ])
  })

  test('is logged with a reason for an assertion that no key of the client signed', async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { iss: partner.clientId, sub: partner.clientId, aud: platform.baseUrl, jti: 'canary' }
    const answer = await fetch(`${platform.baseUrl}/api/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `${encode({ alg: 'ES256' })}.${encode(claims)}.canary`,
      }),
    })
    expect(answer.status).toBe(401)
    expect(await linesOf(requestOf(answer), 'auth.refused')).toMatchObject([
      { kind: 'client_assertion', reason: 'unknown', claimed: partner.clientId },
    ])
  })

  test('is logged with a reason for a scope that the token lacks, and a role that the staff key lacks', async () => {
    const narrow = await signIn({ baseUrl: platform.baseUrl, ...partner, scope: 'orders:read' })
    const answer = await narrow.get('/api/v1/partner/customers')
    expect(await linesOf(requestOf(answer), 'auth.forbidden')).toMatchObject([
      { client: partner.clientId, required: ['customers:read'] },
    ])
    const made = dataOf<{ staff_key: { staff_key_id: string }; key: string }>(
      await platform.staff.post('/api/operator/staff-keys', { name: 'Canary Person', role: 'viewer' }),
    )
    const viewer = as({ authorization: `Bearer ${made.key}` })
    const forbidden = await viewer.post('/api/operator/payouts', {})
    expect(await linesOf(requestOf(forbidden), 'auth.forbidden')).toMatchObject([
      { client: made.staff_key.staff_key_id, required: ['finance'] },
    ])
    expect(logText()).not.toContain(made.key)
  })

  test.each(['cards/processor', 'onramp/provider'])(
    'is logged with a reason for a forged notice at %s',
    async (sender) => {
      const answer = await as({}).post(`/api/callbacks/${sender}`, { canary: 'canary' })
      expect(answer.status).toBe(401)
      const [line] = await linesOf(requestOf(answer), 'callback.refused')
      expect(line).toMatchObject({ reason: expect.any(String) })
    },
  )
})

test('logs changes of secrets and actions of staff with the request id', async () => {
  const made = await platform.staff.post('/api/operator/staff-keys', { name: 'Canary', role: 'finance' })
  const { staff_key: staffKey } = dataOf<{ staff_key: { staff_key_id: string } }>(made)
  expect(await linesOf(requestOf(made), 'secret.created')).toMatchObject([
    { client: expect.stringMatching(/^operator:/), kind: 'staff_key', action: 'gateway.staff-keys.create' },
  ])
  const path = `/api/operator/staff-keys/${staffKey.staff_key_id}`
  const revoked = await platform.staff.delete(path)
  expect(await linesOf(requestOf(revoked), 'secret.revoked')).toMatchObject([
    { kind: 'staff_key', named: { staffKeyId: staffKey.staff_key_id } },
  ])
  expect(await linesOf(requestOf(revoked), 'staff.action')).toMatchObject([{ outcome: 'done' }])
  const again = await platform.staff.delete(path)
  expect(await linesOf(requestOf(again), 'staff.action')).toMatchObject([{ outcome: 'resource_not_found' }])
})

test('logs no credential, address, personal data or caller’s input, and documents every code', () => {
  const text = logText()
  const secrets = [platform.operatorKey, partner.clientSecret, 'canary', 'Canary', '@example.com']
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  const ofRequests = lines().filter((line) => line.requestId !== undefined)
  expect(ofRequests.filter((line) => JSON.stringify(line).includes('127.0.0.1'))).toEqual([])
  const pages = ['docs/OPERATIONS.md', 'docs/reference/log-events.md']
  const documented = pages.map((page) => readFileSync(page, 'utf8')).join('')
  const codes = new Set(lines().flatMap(({ event }) => event ?? []))
  expect([...codes]).toContain('http.request')
  expect([...codes].filter((code) => !documented.includes(`\`${code}\``))).toEqual([])
})

describe('the metrics', () => {
  type Alerts = { groups: { rules: { expr: string }[] }[] }
  const { groups } = parse(readFileSync('deploy/monitoring/alerts.yaml', 'utf8')) as Alerts
  const expressions = [
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  const blockReader = () => import('../../services/payments/src/blocks/jobs/block-reader.ts')
  /** Metrics without samples in this test: their labels are those of their declarations. */
  const UNCOUNTED: Readonly<Record<string, () => Promise<unknown>>> = {
    // No network has a node here.
    causeway_chain_block_mined_at_seconds: blockReader,
    causeway_chain_block_number: blockReader,
    causeway_chain_looked_at_seconds: blockReader,
    causeway_chain_reorganisations_total: () =>
      import('../../services/payments/src/blocks/reorganisation.ts'),
    causeway_bus_requests_dropped_total: () => import('../../packages/chassis/src/bus/drops.ts'),
    causeway_refunds_made_after_failure_total: () =>
      import('../../services/refunds/src/reconciliation/late-success.ts'),
    causeway_webhook_attempts_total: () => import('../../services/webhooks/src/sending/metrics.ts'),
    causeway_signer_stuck_transfers: () => import('../../services/signer/src/transfers/jobs/gauges.ts'),
  }
  /** The signer does not run here: the labels of its metrics are those of their declarations. */
  const isOfSigner = (metric: string) => metric.startsWith('causeway_signer_')
  const declaredLabels = async (name: string): Promise<ReadonlySet<string>> => {
    await UNCOUNTED[name]?.()
    const metric = registry.getSingleMetric(name) as unknown as { labelNames: string[] } | undefined
    return new Set([...(metric?.labelNames ?? []), 'service_name'])
  }

  test('include all that alerts and the dashboard query, with the labels that they use', async () => {
    const processes = [...platform.replicas.values()].filter(({ name }) => name !== 'sandbox')
    const scrape = async () =>
      exportedBy(
        await Promise.all(
          processes.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
        ),
      )
    await partner.api.get('/api/v1/partner/customers')
    const missingNow = async (): Promise<string[]> => {
      const exported = await scrape()
      const missing: string[] = []
      for (const { metrics, labels } of expressions.flatMap(wantedBy))
        for (const metric of metrics) {
          if (!exported.has(metric) && !isOfSigner(metric)) missing.push(metric)
          const known = exported.get(metric) ?? (await declaredLabels(metric))
          missing.push(...labels.filter((label) => !known.has(label)).map((label) => `${metric}{${label}}`))
        }
      return missing
    }
    // Some are measured by jobs, which have run soon after the start.
    await eventually(async () => {
      expect(await missingNow()).toEqual([])
      return true
    })
  })
})
