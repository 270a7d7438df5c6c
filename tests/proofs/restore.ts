/**
 * `pnpm prove:restore [--rounds N] [--events N] [--seed S]`: loses a platform's machine at a random moment while orders
 * are created, and restores it from its base backup, the archive of its log and the snapshot of its streams, as
 * docs/OPERATIONS.md says, twice from the same backup. Prints what each held, how long it took until an order was taken
 * (RTO), which orders were lost, from how long before the moment (RPO), and how many addresses, destination tags and order
 * keys were given to a second order. The exit code is 1 where one was, or where an older order was lost than
 * archive_timeout allows.
 */
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { eventually } from '@causeway/chassis/testing'
import { spreadOf } from '../../bench/measure/statistics.ts'
import { copyPostgres } from '@causeway/dev-env/infrastructure/postgres-copy'
import { signIn } from '@causeway/dev-env/platform/raw-client'
import { loadSecrets } from '@causeway/dev-env/platform/secrets'
import { ordersOf } from '../journeys/losses.ts'
import { restoreDatabases, setUpArchive } from '../journeys/moment.ts'
import { startOrderLoad } from '../journeys/order-load.ts'
import { newCustomer, newPartner, startTestPlatform, type TestPlatform } from '../journeys/platform.ts'
import { createGivenPlaces } from '../journeys/given-places.ts'
import { streamCopies } from '../journeys/stream-copies.ts'
import { createRandom, wholeNumber } from './arguments.ts'
import { findIntegration } from '@causeway/scenario'

const WORKERS = 4
/** Orders of each kind that are made before the moment, and twice as many after each restore. */
const PLACES = 100
const PAUSE_MS = 30
/** As documented; one write more may be under way, and a segment takes a moment to be copied. */
const ARCHIVE_TIMEOUT_MS = 60_000
const ALLOWED_MS = ARCHIVE_TIMEOUT_MS + 10_000
const SETTINGS = { TIMEOUT_FACTOR: '1', ACCESS_TOKEN_TTL: '12h' }

/** Sizes are in MiB. */
type Round = Readonly<{
  base: number
  log: number
  streams: number
  orders: number
  lost: number
  rpoMs: number
  rtoMs: number
  /** Parts of the time until an order was accepted: until the databases were restored, and until the streams were. */
  databasesMs: number
  streamsMs: number
  /** Places of orders: how many were given, and those that were given to a second order. */
  places: number
  givenAgain: readonly string[]
}>

const sizeOf = (folder: string): number =>
  Number(execFileSync('du', ['-sk', folder]).toString().split('\t')[0]) / 1_024

const isReady = (platform: TestPlatform) =>
  eventually(async () => (await fetch(`${platform.baseUrl}/readyz`)).status === 200)

/** Events of the past in the database of webhooks, each with a body of 500 bytes: something to copy. */
const addEvents = async (url: string, count: number): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `INSERT INTO events (owner_id, event_id, type, body, created_at)
       SELECT 'prt_nobody', 'evt_' || lpad(n::text, 26, '0'), 'order.paid', repeat('x', 500), now()
       FROM generate_series(1, $1) AS n`,
      [count],
    )
  } finally {
    await client.end()
  }
}

/** One machine that is lost and restored; its folders are removed afterwards. */
const loseAndRestore = async (events: number, random: () => number): Promise<Round> => {
  const [dataDir, backups] = ['lost', 'kept'].map((name) => mkdtempSync(join(tmpdir(), `causeway-${name}-`)))
  if (dataDir === undefined || backups === undefined) throw new Error('No folders')
  // The server's own user reaches both.
  for (const folder of [dataDir, backups]) chmodSync(folder, 0o711)
  const [archive, kept, base, streams] = ['wal', 'kept', 'base', 'streams'].map((name) =>
    join(backups, name),
  ) as [string, string, string, string]
  const data = join(dataDir, 'postgres')
  const copies = streamCopies(dataDir, streams)
  const password = () => loadSecrets(join(dataDir, 'secrets.json')).postgresAdminPassword
  let platform = await startTestPlatform(SETTINGS, { dataDir })
  try {
    const adminUrl = () => `postgres://postgres:${password()}@127.0.0.1:${platform.postgres?.port}/postgres`
    setUpArchive(data, archive)
    await platform.postgres?.restart()
    await isReady(platform)
    await addEvents(adminUrl().replace(/postgres$/, 'webhooks'), events)
    const partner = await newPartner(platform)
    const { path: customer, customerId } = await newCustomer(platform, partner.causeway)
    const places = createGivenPlaces({
      customer,
      integrationId: await findIntegration(partner.causeway, customerId),
    })
    const load = startOrderLoad(partner.api, customer, WORKERS, { pauseMs: PAUSE_MS })
    await copies.backup(platform.nats?.port)
    const snapshotAt = new Date()
    await copyPostgres({ adminUrl: adminUrl(), from: data, to: base })
    await delay(ARCHIVE_TIMEOUT_MS * (0.5 + random()))
    await places.create(partner.api, 'lost', PLACES)

    // From this moment nothing reaches the archive any more: what is still answered does not count.
    renameSync(archive, kept)
    const lostAtMs = performance.now()
    await load.stop()
    places.add(load.orders.map(({ address }) => address))
    const restore = async () => {
      await platform.stop()
      for (const name of ['postgres', 'nats']) rmSync(join(dataDir, name), { recursive: true })
      const startedMs = performance.now()
      await restoreDatabases({ base, archive: kept, data, password: password(), until: null })
      const databasesMs = performance.now() - startedMs
      await copies.restore(snapshotAt)
      const streamsMs = performance.now() - startedMs - databasesMs
      platform = await startTestPlatform(SETTINGS, { dataDir })
      const { clientId, clientSecret } = partner
      const api = await eventually(() => signIn({ baseUrl: platform.baseUrl, clientId, clientSecret }))
      return { startedMs, databasesMs, streamsMs, api }
    }
    const { startedMs, databasesMs, streamsMs, api } = await restore()
    const again = startOrderLoad(api, customer, 1)
    await eventually(() => again.orders.length > 0)
    const rtoMs = performance.now() - startedMs
    await again.stop()

    const there = new Set((await ordersOf(api, customer)).map(({ id }) => id))
    const acknowledged = load.orders.filter(({ answeredAtMs }) => answeredAtMs < lostAtMs)
    const lost = acknowledged.filter(({ id }) => !there.has(id))
    await places.create(api, 'restored', 2 * PLACES)
    await places.create((await restore()).api, 'restored-again', 2 * PLACES)
    const rpoMs = Math.max(0, ...lost.map(({ answeredAtMs }) => lostAtMs - answeredAtMs))
    return {
      base: sizeOf(base),
      log: sizeOf(kept),
      streams: sizeOf(streams),
      orders: acknowledged.length,
      lost: lost.length,
      rpoMs,
      rtoMs,
      databasesMs,
      streamsMs,
      places: places.count(),
      givenAgain: places.givenAgain,
    }
  } finally {
    await platform.stop()
    for (const folder of [dataDir, backups]) rmSync(folder, { recursive: true, force: true })
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
const shownSpread = (valuesMs: readonly number[]): string => {
  const { median, low, high } = spreadOf(valuesMs)
  return `median ${seconds(median)}, least ${seconds(low)}, greatest ${seconds(high)}`
}

const { values } = parseArgs({
  options: { rounds: { type: 'string' }, events: { type: 'string' }, seed: { type: 'string' } },
})
const seed = wholeNumber('--seed', values.seed) ?? randomInt(2 ** 31)
const events = wholeNumber('--events', values.events) ?? 300_000
const rounds = wholeNumber('--rounds', values.rounds) ?? 3
console.log(`seed ${seed}, ${events} events of the past`)
const random = createRandom(seed)
const results: Round[] = []
while (results.length < rounds) {
  const round = await loseAndRestore(events, random)
  results.push(round)
  console.log(
    `${results.length}: base ${round.base.toFixed(0)} MiB, log ${round.log.toFixed(0)} MiB, streams ${round.streams.toFixed(0)} MiB; ` +
      `of ${round.orders} orders ${round.lost} lost, the oldest from ${seconds(round.rpoMs)} before (RPO); ` +
      `an order is taken after ${seconds(round.rtoMs)} (RTO), of which databases ${seconds(round.databasesMs)}, streams ${seconds(round.streamsMs)}; ` +
      `of ${round.places} addresses, tags and order keys ${round.givenAgain.length} were given twice`,
  )
}
console.log(`RPO: ${shownSpread(results.map(({ rpoMs }) => rpoMs))}`)
console.log(`RTO: ${shownSpread(results.map(({ rtoMs }) => rtoMs))}`)
process.exitCode = results.every(({ rpoMs, givenAgain }) => rpoMs < ALLOWED_MS && givenAgain.length === 0)
  ? 0
  : 1
