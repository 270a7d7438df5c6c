import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { connectBus, createClock, createLogger, keepStreams, openBlobStore } from '@causeway/chassis'
import { SERVICES } from '@causeway/contracts'
import type { Msg } from '@nats-io/transport-node'
import { natsConfig } from '@causeway/dev-env/infrastructure/nats-config'
import {
  natsPermissions,
  SANDBOX_NATS_USERS,
  streamUserOf,
  type NatsUser,
  type PasswordOwner,
} from '@causeway/dev-env/infrastructure/nats-permissions'
import { type NatsServer, startNats } from '@causeway/dev-env/infrastructure/nats'
import { type BusClient, connectUser } from './bus-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-permissions-'))
let server: NatsServer
const clients = new Map<NatsUser, BusClient>()
const clientOf = (user: NatsUser): BusClient => clients.get(user) as BusClient
const passwordOf = (user: PasswordOwner) => `secret-of-${user}`

beforeAll(async () => {
  server = await startNats({
    folder,
    logFile: join(folder, 'nats.log'),
    env: process.env,
    config: (paths) =>
      natsConfig({ ...paths, hasSandbox: true, password: (user) => JSON.stringify(passwordOf(user)) }),
  })
  for (const user of SANDBOX_NATS_USERS) {
    clients.set(user, await connectUser(`127.0.0.1:${server.port}`, user, passwordOf(user)))
  }
})

afterAll(async () => {
  for (const client of clients.values()) await client.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A subject that matches the pattern. */
const example = (pattern: string) => pattern.replace('>', 'example')
const permissionsOf = (user: NatsUser) => natsPermissions(user, true)
const everySubject = (kind: 'publish' | 'subscribe') =>
  [...new Set(SANDBOX_NATS_USERS.flatMap((user) => permissionsOf(user)[kind]))].sort()

describe.each(SANDBOX_NATS_USERS)('NATS user %s', (user) => {
  test('publishes to its own subjects, and is refused every subject of the others', async () => {
    const { connection, refusals } = clientOf(user)
    const before = (await refusals()).length
    const own = new Set(permissionsOf(user).publish)
    for (const pattern of everySubject('publish')) connection.publish(example(pattern))
    const foreign = everySubject('publish').filter((pattern) => !own.has(pattern))
    expect(foreign.length).toBeGreaterThan(0)
    const refused = (await refusals()).slice(before)
    expect(refused).toEqual(foreign.map((pattern) => `publish ${example(pattern)}`))
  })

  test('subscribes to its own subjects, and is refused every subject of the others', async () => {
    const { connection, refusals } = clientOf(user)
    const before = (await refusals()).length
    const own = new Set(permissionsOf(user).subscribe)
    const subscriptions = everySubject('subscribe').map((pattern) => {
      const [subject = '', queue] = pattern.split(' ')
      return connection.subscribe(subject, queue === undefined ? {} : { queue })
    })
    const foreign = everySubject('subscribe').filter((pattern) => !own.has(pattern))
    const refused = (await refusals()).slice(before)
    for (const subscription of subscriptions) subscription.unsubscribe()
    expect(refused).toEqual(foreign.map((pattern) => `subscription ${pattern.split(' ')[0]}`))
  })

  test('is refused the whole bus, other inboxes and the management of the server', async () => {
    const { connection, refusals } = clientOf(user)
    const before = (await refusals()).length
    const other = user === 'gateway' ? 'payments' : 'gateway'
    const watched = ['>', `_INBOX_${other}.>`, '_INBOX.>', '$SYS.>'].map((subject) =>
      connection.subscribe(subject),
    )
    const published = [`_INBOX_${other}.1`, '$JS.API.STREAM.DELETE.EVENTS', '$JS.API.STREAM.PURGE.EVENTS']
    for (const subject of published) connection.publish(subject)
    const refused = (await refusals()).slice(before)
    for (const subscription of watched) subscription.unsubscribe()
    expect(refused).toEqual([
      ...['>', `_INBOX_${other}.>`, '_INBOX.>', '$SYS.>'].map((subject) => `subscription ${subject}`),
      ...published.map((subject) => `publish ${subject}`),
    ])
  })
})

test('refuses a NATS connection with a wrong password', async () => {
  await expect(connectUser(`127.0.0.1:${server.port}`, 'payments', 'wrong')).rejects.toThrow(/Authorization/i)
})

test('delivers messages of its subjects to a service only as a member of its queue group', async () => {
  const { connection, refusals } = clientOf('payments')
  const before = (await refusals()).length
  const alone = connection.subscribe('payments.health.check')
  const foreign = connection.subscribe('payments.health.check', { queue: 'another' })
  const refused = (await refusals()).slice(before)
  for (const subscription of [alone, foreign]) subscription.unsubscribe()
  expect(refused).toEqual(['subscription payments.health.check', 'subscription payments.health.check'])
})

test.each(SERVICES)('lets the gateway send requests to %s, which may answer each once', async (service) => {
  const { connection, refusals } = clientOf(service)
  const before = (await refusals()).length
  const subject = `${service}.health.check`
  const serving = connection.subscribe(subject, {
    queue: service,
    callback: (_error, message) => {
      message.respond('first')
      message.respond('second')
    },
  })
  await connection.flush()
  const answer = await clientOf('gateway').connection.request(subject)
  serving.unsubscribe()
  const refused = (await refusals()).slice(before)
  expect(answer.string()).toBe('first')
  expect(refused).toEqual([`publish ${answer.subject}`])
})

const busOf = (user: 'gateway' | 'onboarding') =>
  connectBus({
    streamUser: streamUserOf(user),
    url: `nats://${user}:${passwordOf(user)}@127.0.0.1:${server.port}`,
    name: user,
    log: createLogger({ service: user, level: 'silent' }),
  })

test('lets a service answer a read that was retried before it answered', async () => {
  const gateway = await busOf('gateway')
  const { connection, refusals } = clientOf('payments')
  const before = (await refusals()).length
  const subject = 'payments.health.check'
  const held: Msg[] = []
  // A replica that answered nothing at first, as one that was stopped for a second.
  const serving = connection.subscribe(subject, {
    queue: 'payments',
    callback: (_error, message) => {
      held.push(message)
      if (held.length === 2) for (const one of held) one.respond('late')
    },
  })
  await connection.flush()
  const question = { subject, payload: 'asked', timeoutMs: 10_000 }
  const answer = await gateway.ask({ ...question, retryPayload: () => 'retry' })
  serving.unsubscribe()
  const refused = (await refusals()).slice(before)
  await gateway.close()
  expect(Buffer.from(answer).toString()).toBe('late')
  expect(refused).toEqual([])
})

test('lets the gateway store and read documents, and onboarding delete them', async () => {
  const [gateway, onboarding] = await Promise.all([busOf('gateway'), busOf('onboarding')])
  await keepStreams(await gateway.jetstreamManager(), {
    events: 1_048_576,
    documents: 1_048_576,
    replicas: 1,
  })
  const clock = createClock()
  const [writer, remover] = await Promise.all(
    [gateway, onboarding].map((bus) => openBlobStore({ kind: 'jetstream' }, { bus, clock })),
  )
  const written = Buffer.from('sealed')
  await writer?.put(
    'key',
    (async function* () {
      yield written
    })(),
  )
  const read: Uint8Array[] = []
  for await (const piece of (await writer?.get('key')) ?? []) read.push(piece)
  expect(Buffer.concat(read)).toEqual(written)
  await remover?.remove('key')
  expect(await writer?.get('key')).toBeNull()
  await Promise.all([gateway.close(), onboarding.close()])
})
