import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { dataOf, type Answer, type ApiClient } from '../../scripts/demo/api-client.ts'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import {
  newCustomer,
  newPartner,
  orderBody,
  registerReceiver,
  startTestPlatform,
  type TestPlatform,
} from './platform.ts'

const LOAD_MS = 3_000
const KILL_AFTER_MS = 1_000
const WORKERS = 6

let platform: TestPlatform
let receiver: Awaited<ReturnType<typeof startReceiver>>
let partner: Awaited<ReturnType<typeof newPartner>>

beforeAll(async () => {
  platform = await startTestPlatform()
})
afterAll(() => platform.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  partner = await newPartner(platform)
  await registerReceiver(platform, partner.partnerId, receiver)
})
afterEach(() => receiver.stop())

/** Creates orders one after the other until the time is over, and records the ids of the acknowledged ones. */
const createOrders = async (api: ApiClient, customer: string, worker: number, acknowledged: string[]) => {
  const endsAtMs = performance.now() + LOAD_MS
  for (let number = 0; performance.now() < endsAtMs; number += 1) {
    const answer = await api
      .post(`${customer}/orders`, orderBody(`w${worker}-${number}`))
      .catch((): Answer | null => null)
    if (answer?.status === 201) acknowledged.push(dataOf<{ order: { id: string } }>(answer).order.id)
    else await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const KILLED = [
  'gateway',
  'onboarding',
  'payments',
  'webhooks',
  'refunds',
  'onramp',
  'sandbox',
  'postgres',
  'nats',
] as const

test.each(KILLED)(
  'kill -9 of %s under load loses no acknowledged order and none of its events',
  async (name) => {
    const customer = await newCustomer(platform, partner.api)
    const acknowledged: string[] = []
    const load = Array.from({ length: WORKERS }, (_, worker) =>
      createOrders(partner.api, customer, worker, acknowledged),
    )
    await new Promise((resolve) => setTimeout(resolve, KILL_AFTER_MS))
    const killed = name === 'postgres' || name === 'nats' ? platform[name] : platform.processes[name]
    killed?.kill('SIGKILL')
    await Promise.all(load)

    await eventually(async () => (await fetch(`${platform.baseUrl}/readyz`)).status === 200)
    expect(acknowledged.length).toBeGreaterThan(WORKERS)
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
  },
)
