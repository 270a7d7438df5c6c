import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { createRawClient, signIn, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { newCustomer, newPartner, startTestPlatform, type TestPlatform } from './platform.ts'
import { startSteadyLoad } from './steady-load.ts'

/** How long access is down; `SOAK` has the minute of an operator who looks for it. */
const OUTAGE_MS = process.env['SOAK'] === undefined ? 5_000 : 60_000
/** How soon a revocation from before the outage holds after its end. */
const HOLDS_WITHIN_MS = 1_000 * TEST_TIMEOUT_FACTOR
const PER_SECOND = 5

let platform: TestPlatform
let gateways: readonly {
  baseUrl: string
  stop: () => Promise<void>
  kill: (signal: NodeJS.Signals) => void
}[]

beforeAll(async () => {
  platform = await startTestPlatform({ TIMEOUT_FACTOR: '1' })
  const port = await freePort()
  const second = await platform.startReplica('gateway', { GATEWAY_PORT: String(port) })
  gateways = [
    { baseUrl: platform.baseUrl, ...platform.processes.gateway },
    { baseUrl: `http://127.0.0.1:${port}`, ...second },
  ]
})
afterAll(() => platform.stop())

type Partner = Awaited<ReturnType<typeof newPartner>>

/** The API of each gateway, each with a separate token that its gateway has checked. */
const signInEverywhere = (partner: Partner): Promise<RawClient[]> =>
  Promise.all(
    gateways.map(async ({ baseUrl }) => {
      const api = await signIn({ ...partner, baseUrl })
      expect((await api.get('/api/v1/partner/customers')).status).toBe(200)
      return api
    }),
  )

/** The answers to what needs access: a token, a call of staff, and a sign-in to the console. */
const askAccess = async (baseUrl: string, { clientId, clientSecret }: Partner) => {
  const raw = createRawClient({ baseUrl })
  const staff = createRawClient({ baseUrl, headers: { authorization: `Bearer ${platform.operatorKey}` } })
  const token = await raw.post('/api/oauth/token', {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  const partners = await staff.get('/api/operator/partners')
  const signedIn = await fetch(`${baseUrl}/console/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: baseUrl },
    body: new URLSearchParams({ key: platform.operatorKey }),
    redirect: 'manual',
  })
  return [token.status, [partners.status, partners.body.error?.code], signedIn.status]
}

test('serves known tokens and answers 503 to everything else while access is down, and enforces an earlier revocation on every gateway within a second of its return', async () => {
  const partner = await newPartner(platform)
  const { path: customer } = await newCustomer(platform, partner.causeway)
  const revoked = await newPartner(platform)
  const [one, two] = await signInEverywhere(revoked)
  const known = await signInEverywhere(partner)
  const loads = known.map((api) => startSteadyLoad(api, customer, PER_SECOND))

  // The second gateway does not hear of the revocation before access is gone.
  gateways[1]?.kill('SIGSTOP')
  const disabled = await platform.staff.patch(`/api/operator/partners/${revoked.partnerId}`, {
    status: 'disabled',
  })
  expect(disabled.status).toBe(200)
  const { access } = platform.processes
  access.kill('SIGKILL')
  await access.stop()
  gateways[1]?.kill('SIGCONT')

  const endsAtMs = performance.now() + OUTAGE_MS
  expect((await one?.get('/api/v1/partner/customers'))?.status).not.toBe(200)
  expect((await two?.get('/api/v1/partner/customers'))?.status).toBe(200)
  for (const { baseUrl } of gateways)
    expect(await askAccess(baseUrl, partner)).toEqual([503, [503, 'temporarily_unavailable'], 503])
  await delay(Math.max(0, endsAtMs - performance.now()))

  await platform.startReplica('access', {})
  const returnedAtMs = performance.now()
  await eventually(async () => (await two?.get('/api/v1/partner/customers'))?.status === 401)
  expect(performance.now() - returnedAtMs).toBeLessThan(HOLDS_WITHIN_MS)
  for (const { baseUrl } of gateways)
    expect(await askAccess(baseUrl, partner)).toEqual([200, [200, undefined], 303])
  for (const load of loads) {
    await load.stop()
    expect(load.answers.filter(({ isRight }) => !isRight)).toEqual([])
    expect(load.answers.length).toBeGreaterThan((OUTAGE_MS / 1_000) * PER_SECOND)
  }
})
