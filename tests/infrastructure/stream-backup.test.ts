import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { connectBus, createClock, createLogger, keepStreams, newId, openBlobStore } from '@causeway/chassis'
import { backUpStream, restoreStream, type BackupServer } from '@causeway/chassis/stream-backup'
import {
  BACKUP_USER,
  BLOB_STREAM,
  backupUserOf,
  EVENT_STREAM,
  SENDERS,
  STREAM_ACCOUNTS,
  type SenderName,
  type StreamAccount,
} from '@causeway/contracts'
import { natsConfig } from '@causeway/dev-env/infrastructure/nats-config'
import {
  backupPermissions,
  NATS_USERS,
  natsPermissions,
  streamSubjects,
  streamUserOf,
  type PasswordOwner,
} from '@causeway/dev-env/infrastructure/nats-permissions'
import { type NatsServer, startNats } from '@causeway/dev-env/infrastructure/nats'
import { connectUser } from './bus-client.ts'

const EVENTS = 300
const HANDLED = 100
const PIECE = 131_072
const ACCOUNTS = Object.keys(STREAM_ACCOUNTS) as StreamAccount[]
const BOUNDS = { events: 16 * 1_048_576, documents: 16 * 1_048_576, replicas: 1 }
const DURABLE = 'webhooks-fanout'
const COMMAND = 'packages/chassis/src/stream-backup/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-backup-'))
const backups = join(folder, 'backups')
const clock = createClock()
const log = createLogger({ service: 'test', level: 'silent' })
const passwordOf = (user: PasswordOwner) => `secret-of-${user}`
const document = randomBytes(3 * 1_048_576)

const start = (name: string) =>
  startNats({
    folder: join(folder, name),
    logFile: join(folder, `${name}.log`),
    env: process.env,
    config: (paths) => natsConfig({ ...paths, password: (user) => JSON.stringify(passwordOf(user)) }),
  })
const backupServer = ({ port }: NatsServer): BackupServer => ({
  url: `nats://${BACKUP_USER}:${passwordOf(BACKUP_USER)}@127.0.0.1:${port}`,
})
const withBus = async <T>(
  { port }: NatsServer,
  user: SenderName,
  work: (bus: Awaited<ReturnType<typeof connectBus>>) => Promise<T>,
) => {
  const url = `nats://${user}:${passwordOf(user)}@127.0.0.1:${port}`
  const bus = await connectBus({ url, name: user, streamUser: streamUserOf(user), log })
  try {
    return await work(bus)
  } finally {
    await bus.close()
  }
}
const handle = (server: NatsServer, most: number) =>
  withBus(server, 'webhooks', async (bus) => {
    const consumer = await bus.jetstream.consumers.get(EVENT_STREAM, DURABLE)
    const { num_pending: unread, num_ack_pending: unacknowledged } = await consumer.info()
    const texts: string[] = []
    const bounds = { max_messages: Math.min(most, unread + unacknowledged), expires: 60_000 }
    for await (const message of await consumer.fetch(bounds)) {
      texts.push(message.string())
      await message.ackAck()
    }
    return texts
  })
const streamsOf = (server: NatsServer) =>
  withBus(server, 'gateway', async (bus) => {
    await keepStreams(await bus.jetstreamManager(), BOUNDS)
    const { streams } = await bus.jetstreamManager()
    const infos = await Promise.all([EVENT_STREAM, BLOB_STREAM].map((stream) => streams.info(stream)))
    return infos.map(({ config, state }) => ({
      metadata: config.metadata,
      messages: state.messages,
      lastSeq: state.last_seq,
    }))
  })

let first: NatsServer
let second: NatsServer

beforeAll(async () => {
  first = await start('first')
  await withBus(first, 'gateway', async (bus) => {
    await keepStreams(await bus.jetstreamManager(), BOUNDS)
    const store = await openBlobStore({ kind: 'jetstream' }, { bus, clock: clock })
    await store.put(
      'key',
      (async function* () {
        for (let at = 0; at < document.length; at += PIECE) yield document.subarray(at, at + PIECE)
      })(),
    )
  })
  await withBus(first, 'payments', async (bus) => {
    for (let index = 0; index < EVENTS; index += 1)
      await bus.publishEvent('events.payments.payment.confirmed', `{"n":${index}}`, newId('event'), null)
  })
  await handle(first, HANDLED)
  second = await start('second')
})
afterAll(async () => {
  await Promise.all([first, second].map((server) => server.stop()))
  rmSync(folder, { recursive: true, force: true })
})

describe('a backup of the streams', () => {
  test('is restored on an empty server: events, what was handled of them, and documents', async () => {
    const before = await streamsOf(first)
    for (const account of ACCOUNTS) await backUpStream(backupServer(first), account, backups, clock)
    const until = new Date()
    for (const account of ACCOUNTS) await restoreStream(backupServer(second), account, backups, until)
    expect(await streamsOf(second)).toEqual(before)
    const rest = await handle(second, EVENTS)
    expect(rest).toEqual(Array.from({ length: EVENTS - HANDLED }, (_, index) => `{"n":${HANDLED + index}}`))
    const restored = await withBus(second, 'gateway', async (bus) => {
      const store = await openBlobStore({ kind: 'jetstream' }, { bus, clock: clock })
      const pieces: Uint8Array[] = []
      for await (const piece of (await store.get('key')) ?? []) pieces.push(piece)
      return Buffer.concat(pieces)
    })
    expect(restored.equals(document)).toBe(true)
  })

  test('never replaces an existing stream', async () => {
    for (const account of ACCOUNTS)
      await expect(restoreStream(backupServer(second), account, backups, new Date())).rejects.toThrow(
        'stream name already in use, cannot restore',
      )
  })

  test('is restored by the command, its documents alone or next to those that the server has', async () => {
    const another = await start('another')
    const restore = async (...args: string[]) => {
      const env = { NATS_URL: backupServer(another).url }
      return (await promisify(execFile)(process.execPath, [COMMAND, 'restore', backups, ...args], { env }))
        .stdout
    }
    try {
      expect(await restore('--documents')).toMatch(/^OBJ_documents: restored \d+ messages\n$/)
      expect(await restore('--until', new Date().toISOString())).toBe(
        `EVENTS: restored ${EVENTS} messages\nOBJ_documents: the server has this stream, it stays as it is\n`,
      )
    } finally {
      await another.stop()
    }
  })

  test('is refused for events with databases of an earlier moment', async () => {
    const moment = new Date(Date.now() - 3_600_000)
    await expect(restoreStream(backupServer(second), 'events', backups, moment)).rejects.toThrow(
      /^The snapshot of EVENTS was finished at .+, later than .+: restore an earlier one/,
    )
  })

  test('is not written over an older one', async () => {
    await expect(backUpStream(backupServer(first), 'events', backups, clock)).rejects.toThrow(
      /ENOTEMPTY|EEXIST/,
    )
  })

  test('is refused with damaged data, and leaves no stream behind', async () => {
    const third = await start('third')
    try {
      const data = join(backups, EVENT_STREAM, 'stream.tar.s2')
      const whole = readFileSync(data)
      writeFileSync(data, whole.subarray(0, whole.length / 2))
      await expect(restoreStream(backupServer(third), 'events', backups, new Date())).rejects.toThrow(
        /^NATS: /,
      )
      writeFileSync(data, whole)
      await restoreStream(backupServer(third), 'events', backups, new Date())
    } finally {
      await third.stop()
    }
  })

  /** As if the server had said, before it read the stream, that it had so many messages more. */
  const rewriteState = (stream: string, more: number): void => {
    const path = join(backups, stream, 'backup.json')
    const description = JSON.parse(readFileSync(path, 'utf8')) as Awaited<ReturnType<typeof backUpStream>>
    const { messages, last_seq: lastSeq } = description.state
    const state = { ...description.state, messages: messages + more, last_seq: lastSeq + more }
    writeFileSync(path, JSON.stringify({ ...description, state }))
  }

  test('may contain messages that were stored while it began, and no fewer than it states', async () => {
    rewriteState(EVENT_STREAM, -1)
    rewriteState(BLOB_STREAM, 1)
    const third = await start('third, again')
    try {
      const restored = await restoreStream(backupServer(third), 'events', backups, new Date())
      expect(restored.messages).toBe(EVENTS)
      await expect(restoreStream(backupServer(third), 'documents', backups, new Date())).rejects.toThrow(
        /^OBJ_.+ has \d+ messages up to \d+ after the restore; its snapshot has \d+ messages up to \d+$/,
      )
    } finally {
      await third.stop()
    }
  })
})

/** Requests that users of the platform, or administrators of JetStream, may make. */
const ELSEWHERE = [
  ...NATS_USERS.flatMap((user) => natsPermissions(user, true).publish),
  ...SENDERS.flatMap((user) => streamSubjects(user).map(({ subject }) => subject)),
  ...[EVENT_STREAM, BLOB_STREAM, 'ANOTHER'].flatMap((stream) =>
    [
      'CREATE',
      'UPDATE',
      'DELETE',
      'PURGE',
      'SNAPSHOT',
      'RESTORE',
      'MSG.GET',
      'MSG.DELETE',
      'PEER.REMOVE',
    ].map((act) => `$JS.API.STREAM.${act}.${stream}`),
  ),
  ...[
    'INFO',
    'STREAM.NAMES',
    'STREAM.LIST',
    `CONSUMER.LIST.${EVENT_STREAM}`,
    `DIRECT.GET.${BLOB_STREAM}`,
  ].map((act) => `$JS.API.${act}`),
  `$JS.API.CONSUMER.DELETE.${EVENT_STREAM}.${DURABLE}`,
  '$SYS.REQ.SERVER.PING',
  '_INBOX_gateway.1',
]

describe.each(ACCOUNTS)('the backup user of the account %s', (account) => {
  test('may publish nothing but what a backup and a restore of its stream need', async () => {
    const user = backupUserOf(account)
    const client = await connectUser(`127.0.0.1:${first.port}`, user, passwordOf(BACKUP_USER))
    const own = backupPermissions(STREAM_ACCOUNTS[account]).publish
    const foreign = [...new Set(ELSEWHERE)]
      .map((pattern) => pattern.replace('>', 'x'))
      .filter((subject) => !own.includes(subject))
    for (const subject of foreign) client.connection.publish(subject, '{}')
    expect(await client.refusals()).toEqual(foreign.map((subject) => `publish ${subject}`))
    await client.close()
  })

  test('may listen to nothing but its own answers', async () => {
    const user = backupUserOf(account)
    const client = await connectUser(`127.0.0.1:${first.port}`, user, passwordOf(BACKUP_USER))
    const foreign = [
      '>',
      'events.>',
      '$O.>',
      '$JS.>',
      '$JS.EVENT.>',
      '$SYS.>',
      '_R_.>',
      '_INBOX_gateway.>',
      '_INBOX.>',
    ]
    for (const subject of foreign) client.connection.subscribe(subject)
    client.connection.subscribe(`_INBOX_${BACKUP_USER}.1`)
    expect(await client.refusals()).toEqual(foreign.map((subject) => `subscription ${subject}`))
    await client.close()
  })
})
