import { eventually } from '@causeway/chassis/testing'
import { SERVICES } from '@causeway/contracts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { dataOf } from '../../scripts/platform/raw-client.ts'
import { startOrderLoad } from './order-load.ts'
import {
  newCustomer,
  newPartner,
  registerReceiver,
  startTestPlatform,
  type TestPlatform,
} from './platform.ts'

const WORKERS = 4
/** Orders that are created between two faults. */
const ORDERS_BETWEEN = 12
/** What may be answered during a fault: nothing was done, or it is not known whether it was (decisions §1). */
const DOCUMENTED = new Set([0, 201, 500, 503])

let platform: TestPlatform
let receiver: Awaited<ReturnType<typeof startReceiver>>
let partner: Awaited<ReturnType<typeof newPartner>>

beforeAll(async () => {
  platform = await startTestPlatform({ TIMEOUT_FACTOR: '1' }, { isCluster: true })
})
afterAll(() => platform.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  // The cluster may still elect a leader after the faults of the test before.
  partner = await eventually(() => newPartner(platform))
  await registerReceiver(platform, partner.partnerId, receiver)
})
afterEach(() => receiver.stop())

const cluster = () => {
  if (platform.cluster === null) throw new Error('The platform is no cluster')
  return platform.cluster
}

const replica = (label: string) => {
  const found = platform.replicas.get(label)
  if (found === undefined) throw new Error(`There is no replica ${label}`)
  return found
}

/** The ids of all orders of a customer. */
const orderIds = async (customer: string): Promise<string[]> => {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page: string = cursor === null ? '' : `&before=${cursor}`
    const answer = await partner.api.get(`${customer}/orders?limit=100${page}`)
    const data = dataOf<{ orders: { id: string }[]; next_cursor: string | null }>(answer)
    ids.push(...data.orders.map(({ id }) => id))
    cursor = data.next_cursor
  } while (cursor !== null)
  return ids
}

/** Kills each part under load. Afterwards every acknowledged order exists, none twice, and its event has arrived. */
const expectNothingLost = async (faults: readonly (() => Promise<void>)[]) => {
  const { path: customer } = await eventually(() => newCustomer(platform, partner.causeway))
  const { acknowledged, statuses, stop } = startOrderLoad(partner.api, customer, WORKERS)
  const more = async () => {
    const reached = acknowledged.length + ORDERS_BETWEEN
    await eventually(() => acknowledged.length >= reached)
  }
  await more()
  for (const fault of faults) {
    await fault()
    await more()
  }
  await stop()
  await eventually(async () => (await fetch(`${platform.baseUrl}/readyz`)).status === 200)
  const ids = await eventually(() => orderIds(customer))
  expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([])
  expect(new Set(acknowledged).size).toBe(acknowledged.length)
  await eventually(() => {
    const orders = new Set(receiver.deliveries.map(({ event }) => event.data['order_id']))
    expect(ids.filter((id) => !orders.has(id))).toEqual([])
    return true
  })
  expect([...statuses.keys()].filter((status) => !DOCUMENTED.has(status))).toEqual([])
}

test('one NATS server after the other is killed', () =>
  expectNothingLost(
    cluster().bus.servers.map((server) => async () => {
      server.kill('SIGKILL')
      await server.whenReady()
    }),
  ))

test('the primary of PostgreSQL is killed, and the one that took over', () => {
  const { database } = cluster()
  const fail = async () => {
    await database.whenSynchronous()
    const primary = database.primary()
    primary.kill('SIGKILL')
    await eventually(() => database.primary() !== primary)
  }
  return expectNothingLost([fail, fail])
})

test('one replica of each service and of the gateway is killed', () =>
  expectNothingLost(
    [...SERVICES, 'gateway-2'].map((label) => async () => {
      replica(label).kill('SIGKILL')
      await replica(label).whenReady()
    }),
  ))
