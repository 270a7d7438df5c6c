import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { call, connectBus, createBusKeys, createClock, createLogger, setting } from '@causeway/chassis'
import { createDb, openKeyRing } from '@causeway/chassis/database'
import { eventually } from '@causeway/chassis/testing'
import { CapabilityName, healthOf } from '@causeway/contracts'
import { Client } from 'pg'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { startCompose } from './compose-platform.ts'
import { ordersOf } from './losses.ts'
import { newCustomer, newPartner, registerReceiver } from './platform.ts'
import { createRotation, type Rotated } from './rotated-secrets.ts'
import { startSteadyLoad, type SteadyLoad } from './steady-load.ts'

const hasPsql = spawnSync('psql', ['--version']).status === 0
const describeWithPsql = hasPsql ? describe : describe.skip
const skipped = hasPsql ? '' : ' (skipped: no psql; apt-get install postgresql-client)'

/** Requests of each kind per second; two cores can run it together with the commands. */
const PER_SECOND = 5
const log = createLogger({ service: 'test', level: 'silent' })
const clock = createClock()
const BUS_KEYS = setting.busKeys({ doc: 'keys' })

describeWithPsql(`deploy/rotate.sh under load${skipped}`, () => {
  let platform: Awaited<ReturnType<typeof startCompose>>
  let rotation: ReturnType<typeof createRotation>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let load: SteadyLoad
  let orders: () => ReturnType<typeof ordersOf>

  beforeAll(async () => {
    const generous = { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000', ACCESS_TOKEN_TTL: '12h' }
    const env = { PUBLIC_BASE_URL: 'https://causeway.example', ...generous }
    platform = await startCompose({ hasSandbox: true, env })
    rotation = createRotation(platform)
    receiver = await startReceiver()
    const { partnerId, api, causeway } = await newPartner(platform, {
      name: 'Rotation',
      default_capabilities: CapabilityName.options,
    })
    await registerReceiver(platform, partnerId, receiver)
    const { path: customer } = await newCustomer(platform, causeway)
    orders = () => ordersOf(api, customer)
    load = startSteadyLoad(api, customer, PER_SECOND)
  })
  afterAll(async () => {
    await load.stop()
    await receiver.stop()
    await platform.stop()
  })

  const failed = () => load.answers.filter(({ isRight }) => !isRight)

  /** Rotates; nothing that was asked meanwhile may have failed. */
  const rotate = async (subject: Rotated): Promise<string> => {
    const asked = load.answers.length
    const { status, said } = await rotation.rotate(subject)
    expect({ status, said, failed: failed() }).toEqual({ status: 0, said, failed: [] })
    expect(load.answers.length).toBeGreaterThan(asked)
    return said
  }

  test.each<Rotated>(['databases', 'nats', 'bus-keys', 'keks'])(
    'changes no secret in a dry run of %s',
    async (subject) => {
      const names = ['database_url', 'nats_url', 'bus_keys', 'encryption_key'].map(
        (name) => `payments_${name}`,
      )
      const before = names.map(rotation.secret)
      expect(await rotation.rotate(subject, '--dry-run')).toMatchObject({
        status: 0,
        said: expect.stringContaining('Dry run'),
      })
      expect(names.map(rotation.secret)).toEqual(before)
    },
  )

  test('replaces the database passwords, and PostgreSQL refuses the former ones', async () => {
    const former = rotation.secret('payments_database_url')
    await rotate('databases')
    const connect = async (url: string) => {
      const client = new Client({ connectionString: url })
      try {
        await client.connect()
      } finally {
        await client.end()
      }
    }
    await expect(connect(former)).rejects.toMatchObject({ code: '28P01' })
    await connect(rotation.secret('payments_database_url'))
  })

  test('replaces the passwords of NATS twice, and it refuses the former ones', async () => {
    for (const user of ['payments-b', 'payments']) {
      const url = rotation.secret('payments_nats_url')
      await rotate('nats')
      expect(new URL(rotation.secret('payments_nats_url')).username).toBe(user)
      const isRefused = async () => {
        const connecting = connectBus({ url, name: 'payments', log, connectTimeoutMs: 500 })
        const bus = await connecting.catch((error: unknown) => String(error))
        if (typeof bus === 'string') return /authorization/i.test(bus)
        await bus.close()
        return false
      }
      // The server reads its configuration a moment after it was asked to.
      await eventually(isRefused)
    }
  })

  test('replaces the keys of requests, and services drop what a former key seals', async () => {
    const former = BUS_KEYS.parse(rotation.secret('gateway_bus_keys'))
    expect(await rotate('bus-keys')).toContain('keeps the former key of payments>webhooks')
    const askWith = async (keys: typeof former) => {
      const url = rotation.secret('gateway_nats_url')
      const bus = await connectBus({ url, name: 'gateway', log, keys: createBusKeys('gateway', keys) })
      const caller = { kind: 'public' } as const
      const request = { caller, requestId: 'req_rotation', timeoutMs: 2_000, safe: true }
      try {
        return await call(bus, clock, healthOf('onboarding').check, request)
      } finally {
        await bus.close()
      }
    }
    expect(await askWith(BUS_KEYS.parse(rotation.secret('gateway_bus_keys')))).toMatchObject({ ok: true })
    expect(await askWith(former)).toEqual({ ok: false, code: 'temporarily_unavailable' })
  })

  test('replaces the key-encryption keys, and the former ones open no data key', async () => {
    const former = Buffer.from(rotation.secret('payments_encryption_key'), 'base64')
    await rotate('keks')
    expect(rotation.secret('payments_previous_encryption_key')).toBe('')
    const databaseUrl = rotation.secret('payments_database_url')
    const db = createDb({ url: databaseUrl, name: 'test', log, clock, poolSize: 1, pipelinedConnections: 1 })
    const use = { columns: [], formerHashPurposes: [] }
    const open = (encryptionKey: Buffer) =>
      openKeyRing({ service: 'payments', db, databaseUrl, clock, log, use, config: { encryptionKey } })
    try {
      await expect(open(former)).rejects.toThrow('ENCRYPTION_KEY cannot unwrap the keys of this database')
      await open(Buffer.from(rotation.secret('payments_encryption_key'), 'base64'))
    } finally {
      await db.close()
    }
  })

  test('publishes another signing key within seconds, after a dry run that does not', async () => {
    const kids = async () =>
      ((await (await fetch(`${platform.baseUrl}/.well-known/jwks.json`)).json()) as { keys: unknown[] }).keys
    expect(await rotation.rotate('signing-keys', '--dry-run')).toMatchObject({ status: 0 })
    expect(await kids()).toHaveLength(1)
    await rotate('signing-keys')
    await eventually(async () => (await kids()).length === 2)
  })

  test('has failed no request, and delivered every order’s event, after all rotations', async () => {
    await load.stop()
    expect(failed()).toEqual([])
    const ids = (await orders()).map(({ id }) => id)
    expect(ids.length).toBe(load.answers.filter(({ request }) => request === 'create order').length)
    await eventually(() => {
      const arrived = new Set(receiver.deliveries.map(({ event }) => event.data['order_id']))
      return ids.every((id) => arrived.has(id))
    })
  })
})
