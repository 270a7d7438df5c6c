import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  call,
  connectBus,
  createBusKeys,
  createClock,
  createLogger,
  implement,
  reply,
  serve,
  type Bus,
} from '@causeway/chassis'
import { eventually, testBusKeys } from '@causeway/chassis/testing'
import { healthOf, type SenderName } from '@causeway/contracts'
import { startNats, type NatsServer } from '@causeway/dev-env/infrastructure/nats'
import { natsConfig } from '@causeway/dev-env/infrastructure/nats-config'
import type { PasswordOwner } from '@causeway/dev-env/infrastructure/nats-permissions'

const folder = mkdtempSync(join(tmpdir(), 'causeway-reloaded-'))
const logFile = join(folder, 'nats.log')
const log = createLogger({ service: 'test', level: 'silent' })
const clock = createClock()
const health = healthOf('refunds')
let server: NatsServer
let gateway: Bus
let refunds: Bus
/** Requests that have arrived and are not answered yet. */
const waiting: (() => void)[] = []

const passwordOf = (user: PasswordOwner) => JSON.stringify(`secret-of-${user}`)
const configOf = (paths: Pick<Parameters<typeof natsConfig>[0], 'listen' | 'storeFolder'>, idle: string) =>
  natsConfig({ ...paths, password: passwordOf, alternatePassword: () => JSON.stringify(idle) })

const busOf = (name: SenderName) =>
  connectBus({
    url: `nats://${name}:secret-of-${name}@127.0.0.1:${server.port}`,
    name,
    keys: createBusKeys(name, testBusKeys(name)),
    log,
  })

beforeAll(async () => {
  server = await startNats({
    folder,
    logFile,
    env: process.env,
    config: (paths) => configOf(paths, 'first'),
  })
  gateway = await busOf('gateway')
  refunds = await busOf('refunds')
  const check = () =>
    new Promise<ReturnType<typeof reply<{ ready: true }>>>((resolve) => {
      waiting.push(() => resolve(reply({ ready: true as const })))
    })
  serve(refunds, implement(health, { check }), {
    service: 'refunds',
    keys: createBusKeys('refunds', testBusKeys('refunds')),
    clock,
    log,
    checkReplies: true,
  })
  await refunds.connection.flush()
})
afterAll(async () => {
  await gateway.close()
  await refunds.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Replaces the passwords of the users that are not in use, as a rotation does. */
const reload = async () => {
  const file = join(folder, 'nats.conf')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"first"', '"second"'))
  server.kill('SIGHUP')
  await eventually(() => readFileSync(logFile, 'utf8').includes('Reloaded server configuration'))
}

test('delivers the reply to a request that was in flight while NATS reloaded its users', async () => {
  const checks = [1, 2, 3].map(() =>
    call(gateway, clock, health.check, {
      caller: { kind: 'public' },
      requestId: 'req_reloaded',
      timeoutMs: 5_000,
      safe: false,
    }),
  )
  await eventually(() => waiting.length === checks.length)
  await reload()
  for (const answer of waiting) answer()
  const answered = { ok: true, value: { ready: true } }
  expect(await Promise.all(checks)).toMatchObject([answered, answered, answered])
})
