import { eventually } from '@causeway/chassis/testing'
import { REQUIRED_SERVICES } from '@causeway/contracts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { childrenOf, identityOf } from '@causeway/dev-env/platform/process-identity'
import { findLosses, NO_LOSSES } from './losses.ts'
import { startOrderLoad } from './order-load.ts'
import { cutMessages, damage, deleteStore, watchStream } from './stream-damage.ts'
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

/** Kills each part under load. Afterwards every acknowledged order exists, none twice, and its event has arrived. */
const expectNothingLost = async (faults: readonly (() => Promise<void>)[]) => {
  const { path: customer } = await eventually(() => newCustomer(platform, partner.causeway))
  const load = startOrderLoad(partner.api, customer, WORKERS)
  const more = async () => {
    const reached = load.acknowledged.length + ORDERS_BETWEEN
    await eventually(() => load.acknowledged.length >= reached)
  }
  await more()
  for (const fault of faults) {
    await fault()
    await more()
  }
  await load.stop()
  const { baseUrl } = platform
  expect(await findLosses({ baseUrl, api: partner.api, customer, load, receiver })).toEqual(NO_LOSSES)
  expect(new Set(load.acknowledged).size).toBe(load.acknowledged.length)
}

test('loses nothing when one NATS server after the other is killed', () =>
  expectNothingLost(
    cluster().bus.servers.map((server) => async () => {
      server.kill('SIGKILL')
      await server.whenReady()
    }),
  ))

test('loses nothing when the primary of PostgreSQL is killed, and then the one that took over', () => {
  const { database } = cluster()
  const fail = async () => {
    await database.whenSynchronous()
    const primary = database.primary()
    primary.kill('SIGKILL')
    await eventually(() => database.primary() !== primary)
  }
  return expectNothingLost([fail, fail])
})

test.each([
  ['with all of its processes', true],
  ['alone, while those that serve a connection go on', false],
])(
  'loses nothing when the primary of PostgreSQL is frozen %s, and killed before the standby takes over',
  async (_, isWhole) => {
    const { database } = cluster()
    const survivors: number[] = []
    const freeze = async () => {
      await database.whenSynchronous()
      const primary = database.primary()
      const pid = primary.pid ?? 0
      const known = new Map([pid, ...childrenOf(pid)].map((each) => [each, identityOf(each)]))
      for (const each of isWhole ? known.keys() : [pid]) process.kill(each, 'SIGSTOP')
      await eventually(() => database.primary() !== primary)
      for (const [each, identity] of known)
        if (identity !== null && identityOf(each) === identity) survivors.push(each)
    }
    await expectNothingLost([freeze])
    expect(survivors).toEqual([])
  },
)

test('loses nothing when one replica of each service and of the gateway is killed', () =>
  expectNothingLost(
    [...REQUIRED_SERVICES, 'gateway-2'].map((label) => async () => {
      replica(label).kill('SIGKILL')
      await replica(label).whenReady()
    }),
  ))

test('loses nothing when a file of the stream is cut short, a store is deleted, and the only intact server is killed', async () => {
  const { servers } = cluster().bus
  const stream = await watchStream(platform.dataDir, servers)
  const folder = (index: number) => `${platform.dataDir}/nats-${index + 1}`
  const faults = [cutMessages, deleteStore, () => undefined].map((change, index) => async () => {
    const server = servers[index]
    if (server === undefined) throw new Error(`There is no server ${index}`)
    await damage(server, () => change(folder(index)))
    await stream.whenWhole()
  })
  // What is taken from the stream already cannot be lost there.
  const signal = async (name: 'SIGSTOP' | 'SIGCONT') => {
    for (const label of ['webhooks', 'webhooks-2']) replica(label).kill(name)
    await Promise.resolve()
  }
  try {
    await expectNothingLost([() => signal('SIGSTOP'), ...faults, () => signal('SIGCONT')])
  } finally {
    await signal('SIGCONT')
    await stream.stop()
  }
})
