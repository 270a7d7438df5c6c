import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { connectBus, createClock, createLogger } from '@causeway/chassis'
import { followSandboxClock, leadSandboxClock } from '@causeway/chassis/sandbox-clock'
import { testBusKeysText } from '@causeway/chassis/testing'
import { SANDBOX_CLOCK } from '@causeway/contracts'
import { loadConfig } from '../../services/onramp/src/config.ts'
import { natsConfig } from '@causeway/dev-env/infrastructure/nats-config'
import {
  NATS_USERS,
  type NatsUser,
  type PasswordOwner,
} from '@causeway/dev-env/infrastructure/nats-permissions'
import { type NatsServer, startNats } from '@causeway/dev-env/infrastructure/nats'
import { connectUser } from './bus-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-no-clock-'))
const passwordOf = (user: PasswordOwner) => `secret-of-${user}`
let server: NatsServer

/** The bus of a deployment: as deploy/nats.conf, except that the file contains the passwords. */
beforeAll(async () => {
  server = await startNats({
    folder,
    logFile: join(folder, 'nats.log'),
    env: process.env,
    config: (paths) => natsConfig({ ...paths, password: (user) => JSON.stringify(passwordOf(user)) }),
  })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const log = createLogger({ service: 'test', level: 'silent' })
const busOf = (user: NatsUser) =>
  connectBus({
    url: `nats://${user}:${passwordOf(user)}@127.0.0.1:${server.port}`,
    name: user,
    log,
    connectTimeoutMs: 1_000,
  })

test('gives the bus of a deployment no sandbox user, and its configuration no subject of the clock', async () => {
  await expect(busOf('sandbox')).rejects.toThrow(/Authorization/i)
  const deployed = readFileSync('deploy/nats.conf', 'utf8')
  expect(deployed).not.toMatch(/sandbox/i)
  expect(deployed).toContain('user: payments')
})

test.each(NATS_USERS)('lets %s neither move a clock nor listen to one in a deployment', async (user) => {
  const { connection, refusals, close } = await connectUser(
    `127.0.0.1:${server.port}`,
    user,
    passwordOf(user),
  )
  const subjects = Object.values(SANDBOX_CLOCK)
  for (const subject of subjects) connection.publish(subject, JSON.stringify({ offsetMs: 1 }))
  for (const subject of subjects) connection.subscribe(subject)
  const refused = await refusals()
  await close()
  expect(refused).toEqual([
    ...subjects.map((subject) => `publish ${subject}`),
    ...subjects.map((subject) => `subscription ${subject}`),
  ])
})

test('refuses to start a service of a deployment that is configured to follow a clock', async () => {
  const [leader, follower] = [await busOf('gateway'), await busOf('onramp')]
  const leading = leadSandboxClock({ bus: leader, clock: createClock(), log, remember: () => undefined })
  const clock = createClock()
  const starting = followSandboxClock({ bus: follower, clock, log, timeoutFactor: 0.02 })
  await expect(starting).rejects.toThrow(
    'SANDBOX_CLOCK is true, but no sandbox on this bus publishes its time',
  )
  leading.stop()
  await Promise.all([leader.close(), follower.close()])
  expect(clock.offsetMs()).toBe(0)
})

const settings = (more: Record<string, string> = {}) => ({
  ONRAMP_DATABASE_URL: 'postgres://onramp:x@127.0.0.1/onramp',
  NATS_URL: 'nats://onramp:x@127.0.0.1',
  BUS_KEYS: testBusKeysText('onramp'),
  PUBLIC_BASE_URL: 'https://api.example.com',
  ...more,
})

test('follows no clock unless the settings of a service say so', () => {
  expect(loadConfig(settings()).followsSandboxClock).toBe(false)
  expect(loadConfig(settings({ SANDBOX_CLOCK: 'true' })).followsSandboxClock).toBe(true)
})
