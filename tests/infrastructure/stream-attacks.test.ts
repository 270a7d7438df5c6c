import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { connectBus, createLogger, keepStreams, newId, type Bus } from '@causeway/chassis'
import { EVENT_STREAM, inboxPrefix, SENDERS, type SenderName } from '@causeway/contracts'
import { natsConfig } from '@causeway/dev-env/infrastructure/nats-config'
import { streamUserOf, type PasswordOwner } from '@causeway/dev-env/infrastructure/nats-permissions'
import { type NatsServer, startNats } from '@causeway/dev-env/infrastructure/nats'

const BOUNDS = { events: 16 * 1_048_576, documents: 16 * 1_048_576, replicas: 1 }
const DURABLE = 'webhooks-fanout'
const SUBJECT = 'events.payments.payment.confirmed'
const NEXT = `$JS.API.CONSUMER.MSG.NEXT.${EVENT_STREAM}.${DURABLE}`

const log = createLogger({ service: 'test', level: 'silent' })
const passwordOf = (user: PasswordOwner) => `secret-of-${user}`

/** With an observer in the account of the events, which no deployment has. */
const observed = (config: string) =>
  config.replace(
    /(\n {2}events: \{\n.*\n {4}users: \[\n)/,
    '$1      { user: observer, password: observer }\n',
  )
/** Removes the permissions of the stream users: the isolation of accounts must suffice alone. */
const withoutPermissions = (config: string) => {
  const from = config.indexOf(`  ${streamUserOf('onboarding')}: {`)
  return config.slice(0, from) + config.slice(from).replaceAll(/permissions: \{[^]*?\n {8}\}\n/g, '')
}

describe.each([
  ['with their permissions', observed],
  ['by their accounts alone', (config: string) => withoutPermissions(observed(config))],
])('users of the stream, limited %s', (_title, variant) => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-stream-'))
  let server: NatsServer
  let observer: NatsConnection
  let admin: JetStreamManager
  const users = new Map<SenderName, NatsConnection>()
  const requests = new Map<SenderName, NatsConnection>()
  const heard: string[] = []
  const buses: Bus[] = []
  const of = (user: SenderName) => users.get(user) as NatsConnection

  const busOf = async (user: SenderName) => {
    const url = `nats://${user}:${passwordOf(user)}@127.0.0.1:${server.port}`
    const bus = await connectBus({ url, name: user, streamUser: streamUserOf(user), log })
    buses.push(bus)
    return bus
  }
  const publish = async () => {
    const [payments] = buses.slice(1)
    await payments?.publishEvent(SUBJECT, '{"genuine":true}', newId('event'), null)
  }
  /** After this round trip the server has handled everything published before. */
  const settled = async () => {
    for (const connection of [...users.values(), observer, ...requests.values(), observer])
      await connection.flush()
  }
  /** The server's answer to one request for a message: the message, or a status that no message exists. */
  const nextOf = async (user: SenderName) => {
    const reply = `${inboxPrefix(user)}.${newId('request')}`
    const answers = of(user).subscribe(reply, { max: 1 })
    of(user).publish(NEXT, JSON.stringify({ batch: 1, no_wait: true }), { reply })
    for await (const answer of answers) return answer
    return null
  }
  const books = async () => {
    const { config, state } = await admin.streams.info(EVENT_STREAM)
    const consumers = []
    for await (const { name: durable, config: of } of admin.consumers.list(EVENT_STREAM))
      consumers.push({
        durable,
        deliverTo: of.deliver_subject,
        filters: of.filter_subjects ?? of.filter_subject,
      })
    consumers.sort((a, b) => a.durable.localeCompare(b.durable))
    const streams = []
    for await (const stream of admin.streams.list()) streams.push(stream.config.name)
    return { config, messages: state.messages, consumers, streams }
  }

  beforeAll(async () => {
    server = await startNats({
      folder,
      logFile: join(folder, 'nats.log'),
      env: process.env,
      config: (paths) =>
        variant(natsConfig({ ...paths, password: (user) => JSON.stringify(passwordOf(user)) })),
    })
    const open = (user: string, pass: string, prefix: string) =>
      connect({ servers: `127.0.0.1:${server.port}`, user, pass, inboxPrefix: inboxPrefix(prefix) })
    const gateway = await busOf('gateway')
    await busOf('payments')
    await keepStreams(await gateway.jetstreamManager(), BOUNDS)
    observer = await open('observer', 'observer', 'observer')
    admin = await jetstreamManager(observer)
    for (const user of SENDERS) {
      users.set(user, await open(streamUserOf(user), passwordOf(user), user))
      const own = await open(user, passwordOf(user), user)
      requests.set(user, own)
      const listens = own.subscribe(`${inboxPrefix(user)}.>`)
      void (async () => {
        for await (const message of listens) heard.push(`${user}: ${message.subject}`)
      })()
    }
    requests.get('onboarding')?.subscribe('onboarding.customers.create', {
      queue: 'onboarding',
      callback: () => void heard.push('onboarding.customers.create'),
    })
    requests.get('payments')?.subscribe('payments.integrations.resolve', {
      queue: 'payments',
      callback: () => void heard.push('payments.integrations.resolve'),
    })
    await settled()
  })
  afterAll(async () => {
    for (const connection of [...users.values(), ...requests.values(), observer]) await connection.close()
    await Promise.all(buses.map((bus) => bus.close()))
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => {
    heard.length = 0
  })

  const FOREIGN_REPLIES = [
    'onboarding.customers.create',
    'payments.integrations.resolve',
    'events.payments.payment.confirmed',
    'events.webhooks.order.paid',
    `${inboxPrefix('gateway')}.1`,
    `$JS.API.STREAM.PURGE.${EVENT_STREAM}`,
    `$JS.API.STREAM.DELETE.${EVENT_STREAM}`,
    '$O.documents.C.stolen',
  ]

  test.each(FOREIGN_REPLIES)(
    'deliver messages to nobody by a request with the reply subject %s',
    async (reply) => {
      await publish()
      const before = await books()
      of('webhooks').publish(NEXT, JSON.stringify({ batch: 1, no_wait: true }), { reply })
      await settled()
      const own = await nextOf('webhooks')
      if (own?.reply) of('webhooks').publish(own.reply, '+NXT', { reply })
      await settled()
      expect(await books()).toEqual(before)
      expect(heard).toEqual([])
    },
  )

  const consumer = (more: object) =>
    JSON.stringify({
      stream_name: EVENT_STREAM,
      config: { durable_name: 'payments-projection', ack_policy: 'explicit', ...more },
    })
  const create = (durable: string) => [
    `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}.events.>`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${EVENT_STREAM}.${durable}`,
  ]
  const stream = (more: object) => JSON.stringify({ name: EVENT_STREAM, subjects: ['events.>'], ...more })
  const ATTACKS: [title: string, subjects: string[], payload: string][] = [
    ['widen its filter', create('payments-projection'), consumer({ filter_subjects: ['events.>'] })],
    ['push events elsewhere', create('payments-push'), consumer({ deliver_subject: '_INBOX_gateway.x' })],
    ['take events from another', [NEXT], JSON.stringify({ batch: 1, no_wait: true })],
    [
      'hand the stream on',
      [`$JS.API.STREAM.CREATE.${EVENT_STREAM}`, `$JS.API.STREAM.UPDATE.${EVENT_STREAM}`],
      stream({ republish: { src: 'events.>', dest: 'payments.copy.>' } }),
    ],
    [
      'make a stream of other sources',
      ['$JS.API.STREAM.CREATE.MINE'],
      JSON.stringify({ name: 'MINE', sources: [{ name: EVENT_STREAM }] }),
    ],
    [
      'empty the stream',
      [`$JS.API.STREAM.PURGE.${EVENT_STREAM}`, `$JS.API.STREAM.DELETE.${EVENT_STREAM}`],
      '',
    ],
    ['delete a consumer', [`$JS.API.CONSUMER.DELETE.${EVENT_STREAM}.${DURABLE}`], ''],
    ['publish what refunds owns', ['events.refunds.refund.completed'], '{}'],
    ['publish under another name', ['events.payments.payment.invented', 'events.payments.>'], '{}'],
  ]
  test.each(ATTACKS)('cannot %s as payments', async (_title, subjects, payload) => {
    await publish()
    const before = await books()
    for (const subject of subjects)
      of('payments').publish(subject, payload, { reply: `${inboxPrefix('payments')}.x` })
    await settled()
    expect(await books()).toEqual(before)
    expect(heard).toEqual([])
  })

  test('cannot publish what payments owns from another service', async () => {
    const before = await books()
    for (const user of SENDERS.filter((sender) => sender !== 'payments'))
      of(user).publish(SUBJECT, '{"forged":true}')
    await settled()
    expect((await books()).messages).toBe(before.messages)
  })

  test('can read by their own consumer, acknowledge, and read nothing twice', async () => {
    await publish()
    const webhooks = await busOf('webhooks')
    const own = await webhooks.jetstream.consumers.get(EVENT_STREAM, DURABLE)
    const message = await own.next({ expires: 5_000 })
    expect(message?.string()).toBe('{"genuine":true}')
    expect(await message?.ackAck()).toBe(true)
  })
})
