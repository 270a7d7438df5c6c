import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  connectBus,
  createBusKeys,
  createClock,
  createLogger,
  implement,
  isServiceReady,
  keepStreams,
  relay,
  reply,
  serve,
  type Bus,
  type Db,
} from '@causeway/chassis'
import { eventually, TEST_DEADLINE_MS, testBusKeys } from '@causeway/chassis/testing'
import { healthOf, type SenderName } from '@causeway/contracts'
import { natsConfig } from '@causeway/dev-env/infrastructure/nats-config'
import { streamUserOf, type PasswordOwner } from '@causeway/dev-env/infrastructure/nats-permissions'
import { startNats, type NatsServer } from '@causeway/dev-env/infrastructure/nats'

const folder = mkdtempSync(join(tmpdir(), 'causeway-older-'))
const passwordOf = (user: PasswordOwner) => `secret-of-${user}`
const logged: { event: string; subject: string }[] = []
const note = (fields: { event: string; subject: string }) => void logged.push(fields)
const log = Object.assign(createLogger({ service: 'test', level: 'silent' }), {
  error: note,
  info: note,
  warn: note,
}) as ReturnType<typeof createLogger>
const db = { ping: () => Promise.resolve() } as unknown as Db
const health = healthOf('refunds')
/** Served by this version, and unknown to the version whose permissions NATS has. */
const NEWER = 'refunds.refunds.list'
const clock = createClock()
let server: NatsServer
let gateway: Bus
let config: string

const busOf = (name: SenderName) =>
  connectBus({
    url: `nats://${name}:${passwordOf(name)}@127.0.0.1:${server.port}`,
    name,
    streamUser: streamUserOf(name),
    keys: createBusKeys(name, testBusKeys(name)),
    log,
    streamTimeoutMs: TEST_DEADLINE_MS,
  })

beforeAll(async () => {
  server = await startNats({
    folder,
    logFile: join(folder, 'nats.log'),
    env: process.env,
    config: (paths) => {
      config = natsConfig({ ...paths, password: (user) => JSON.stringify(passwordOf(user)) })
      return config.replace(`"${NEWER} refunds"`, '')
    },
  })
  gateway = await busOf('gateway')
  await keepStreams(await gateway.jetstreamManager(), {
    events: 16 * 1_048_576,
    documents: null,
    replicas: 1,
  })
})
afterAll(async () => {
  await gateway.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const check = () =>
  relay(gateway, clock, health.check.subject, {
    requestId: 'req_test',
    callerJson: JSON.stringify({ kind: 'public' }),
    timeoutMs: 10_000,
    safe: false,
  })
const inFlight = { begun: false, finish: Promise.withResolvers<undefined>() }

/** Refunds as this version serves it: one subscription is refused. */
const serveRefunds = async (): Promise<Bus> => {
  const bus = await busOf('refunds')
  const answer = async () => {
    inFlight.begun = true
    await inFlight.finish.promise
    return reply({ ready: true as const })
  }
  const newer = { operation: { ...health.check, subject: NEWER }, handle: answer } as never
  serve(bus, [...implement(health, { check: answer }), newer], {
    service: 'refunds',
    keys: createBusKeys('refunds', testBusKeys('refunds')),
    clock,
    log,
    checkReplies: false,
  })
  await eventually(() => bus.refusedSubjects().length > 0)
  expect(bus.refusedSubjects()).toEqual([NEWER])
  return bus
}

test('answers the requests in flight at a stop although NATS refuses a subscription', async () => {
  const bus = await serveRefunds()
  const checked = check()
  await eventually(() => inFlight.begun)
  const drained = bus.drainRequests()
  inFlight.finish.resolve(undefined)
  await drained
  expect((await checked).ok).toBe(true)
  await bus.close()
})

test('reports that it is not ready while NATS refuses a subscription, answers on the others, and opens it when it may', async () => {
  const bus = await serveRefunds()
  const isReady = () => isServiceReady({ db, bus, timeoutFactor: 10 })
  expect(logged).toContainEqual(expect.objectContaining({ event: 'bus.subscription_failed', subject: NEWER }))
  expect(await isReady()).toBe(false)
  expect((await check()).ok).toBe(true)

  const file = join(folder, 'nats.conf')
  expect(readFileSync(file, 'utf8')).not.toBe(config)
  writeFileSync(file, config)
  server.kill('SIGHUP')
  await eventually(isReady)
  expect(logged.at(-1)).toMatchObject({ event: 'bus.subscribed', subject: NEWER })
  await bus.close()
})
