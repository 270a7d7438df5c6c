import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { newCustomer, newPartner, orderBody, startTestPlatform, type TestPlatform } from './platform.ts'

/** Less than whatever else would end a request. */
const LATEST_MS = 20_000

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let customer: string

beforeAll(async () => {
  platform = await startTestPlatform({ BUS_TIMEOUT: '3s', TIMEOUT_FACTOR: '1' })
  partner = await newPartner(platform)
  customer = (await newCustomer(platform, partner.causeway)).path
})
afterAll(() => platform.stop())

const codeOf = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
]

test('answers 503 to a read and 500 to a write within the deadline while a service is frozen', async () => {
  platform.processes.payments.kill('SIGSTOP')
  try {
    const startedMs = performance.now()
    const [read, created] = await Promise.all([
      partner.api.get(`${customer}/orders`),
      partner.api.post(`${customer}/orders`, orderBody('while-frozen')),
    ])
    expect(codeOf(read)).toEqual([503, 'temporarily_unavailable'])
    expect(codeOf(created)).toEqual([500, 'internal_error'])
    expect(performance.now() - startedMs).toBeLessThan(LATEST_MS)
  } finally {
    platform.processes.payments.kill('SIGCONT')
  }
  await eventually(async () => (await partner.api.get(`${customer}/orders`)).status === 200)
})

test('does not execute a request later that waited past its deadline in a frozen service', async () => {
  await eventually(async () => (await partner.api.get(`${customer}/orders`)).status === 200)
  const list = await partner.api.get(`${customer}/orders`)
  expect(list.body).toMatchObject({ data: { orders: [], next_cursor: null } })
})

test('answers 503 for a service that is down, while the other services continue', async () => {
  await platform.processes.payments.stop()
  const read = await partner.api.get(`${customer}/orders`)
  const created = await partner.api.post(`${customer}/orders`, orderBody('while-down'))
  expect(codeOf(read)).toEqual([503, 'temporarily_unavailable'])
  expect(codeOf(created)).toEqual([503, 'temporarily_unavailable'])
  expect((await partner.api.get(customer)).status).toBe(200)
  expect((await fetch(`${platform.baseUrl}/readyz`)).status).toBe(503)
  expect((await fetch(`${platform.baseUrl}/healthz`)).status).toBe(200)
})
