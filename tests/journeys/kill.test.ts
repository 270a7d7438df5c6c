import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { findLosses, NO_LOSSES } from './losses.ts'
import { startOrderLoad } from './order-load.ts'
import { cutMessages, damage, deleteStore } from './stream-damage.ts'
import {
  newCustomer,
  newPartner,
  registerReceiver,
  startTestPlatform,
  type TestPlatform,
} from './platform.ts'

/** Minimum time of load after a kill. */
const LOAD_MS = 2_000
const WORKERS = 6

let platform: TestPlatform
let receiver: Awaited<ReturnType<typeof startReceiver>>
let partner: Awaited<ReturnType<typeof newPartner>>

beforeAll(async () => {
  // The timeouts of production: requests that are lost are waited for.
  platform = await startTestPlatform({ TIMEOUT_FACTOR: '1' })
})
afterAll(() => platform.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  partner = await newPartner(platform)
  await registerReceiver(platform, partner.partnerId, receiver)
})
afterEach(() => receiver.stop())

const KILLED = [
  'gateway',
  'access',
  'onboarding',
  'payments',
  'webhooks',
  'refunds',
  'onramp',
  'ledger',
  'sandbox',
  'postgres',
  'nats',
] as const

test.each(KILLED)('loses no acknowledged order and no event after kill -9 of %s under load', async (name) => {
  const { path: customer } = await newCustomer(platform, partner.causeway)
  const { acknowledged, stop } = startOrderLoad(partner.api, customer, WORKERS)
  await eventually(() => acknowledged.length > WORKERS)
  const killed = name === 'postgres' || name === 'nats' ? platform[name] : platform.processes[name]
  killed?.kill('SIGKILL')
  await new Promise((resolve) => setTimeout(resolve, LOAD_MS))
  await stop()

  await eventually(async () => (await fetch(`${platform.baseUrl}/readyz`)).status === 200)
  for (const id of acknowledged) {
    const read = await partner.api.get(`/api/v1/partner/orders/${id}`)
    expect(read.status).toBe(200)
  }
  const received = await eventually(() => {
    const orders = new Set(receiver.deliveries.map(({ event }) => event.data['order_id']))
    return acknowledged.every((id) => orders.has(id)) && orders
  })
  expect(acknowledged.filter((id) => !received.has(id))).toEqual([])
  expect(receiver.deliveries.filter((delivery) => !delivery.verified)).toEqual([])
})

test.each([
  ['cut short', cutMessages],
  ['deleted', deleteStore],
] as const)('delivers events that wait in the stream although its file is %s', async (_, change) => {
  const { path: customer } = await newCustomer(platform, partner.causeway)
  const { nats, processes, baseUrl, dataDir } = platform
  if (nats === null) throw new Error('The platform did not start a NATS server')
  processes.webhooks.kill('SIGSTOP')
  const load = startOrderLoad(partner.api, customer, WORKERS)
  try {
    await eventually(() => load.acknowledged.length > 5 * WORKERS)
    await damage(nats, () => change(`${dataDir}/nats`))
    const before = load.acknowledged.length
    await eventually(() => load.acknowledged.length > before + WORKERS)
  } finally {
    processes.webhooks.kill('SIGCONT')
    await load.stop()
  }
  expect(await findLosses({ baseUrl, api: partner.api, customer, load, receiver })).toEqual(NO_LOSSES)
})
