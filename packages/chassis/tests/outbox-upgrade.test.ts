import { EVENT_RETENTION_MS } from '@causeway/contracts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { createClock, createDb, startRelay, type Bus, type Clock, type Db } from '../src/index.ts'
import { eventually, forgetEvents, testBus, testDatabase, TEST_TIMEOUT_FACTOR } from '../src/testing/index.ts'
import { anEvent, silent } from './fixture.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)
const UPGRADE = ['5_outbox.sql', '8_outbox-progress.sql']

/** What a replica of the version before runs on its outbox, word for word; each is prepared before the upgrade. */
const BEFORE = {
  append: `INSERT INTO outbox (event_id, subject, payload, created_at, traceparent)
    SELECT "eventId", "eventName", "eventPayload", "eventCreatedAt", "eventTraceparent" FROM
    unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[])
      AS e ("eventId", "eventName", "eventPayload", "eventCreatedAt", "eventTraceparent")`,
  claim: `WITH mine AS (
      UPDATE outbox_relay SET holder = $1::text, lease_until = $3::timestamptz
      WHERE lease_until < $2::timestamptz OR holder IS NULL
        OR (holder = $1::text AND lease_until < $2::timestamptz + ($3::timestamptz - $2::timestamptz) / 2)
      RETURNING 1
    )
    SELECT seq, event_id, subject, payload, traceparent FROM outbox
    WHERE published_at IS NULL
      AND (EXISTS (SELECT FROM mine)
        OR EXISTS (SELECT FROM outbox_relay WHERE holder = $1::text AND lease_until >= $2::timestamptz))
    ORDER BY seq LIMIT $4::integer`,
  mark: `WITH progress AS (
      UPDATE outbox_relay SET stream_seq = greatest(stream_seq, (SELECT max(s) FROM unnest($2::bigint[]) AS s))
      WHERE holder = $4::text
    )
    UPDATE outbox SET published_at = $3::timestamptz, stream_seq = acked.stream_seq
    FROM unnest($1::bigint[], $2::bigint[]) AS acked (seq, stream_seq)
    WHERE outbox.seq = acked.seq`,
  republish: `WITH identity AS (UPDATE outbox_relay SET stream_created = $1::text, stream_seq = $2::bigint)
    UPDATE outbox SET published_at = NULL, stream_seq = NULL
    WHERE published_at IS NOT NULL AND stream_seq > $2::bigint
    RETURNING seq`,
  deleteExpired: `DELETE FROM outbox
    WHERE seq IN (SELECT seq FROM outbox ORDER BY seq LIMIT $2::integer) AND published_at < $1::timestamptz
    RETURNING seq`,
}
type Event = ReturnType<typeof anEvent>
const HOLDER = 'the version before'
const SOON_MS = 1_000

let bus: Bus
let db: Db
let clock: Clock
let replica: pg.Client
let drop: () => Promise<void>

const run = async (name: keyof typeof BEFORE, values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await replica.query<Record<string, unknown>>({ name, text: BEFORE[name], values })).rows

const appendAsBefore = (event: Event) =>
  run('append', [[event.id], [event.name], [JSON.stringify(event)], [event.created_at], [null]])
const claimAsBefore = async (): Promise<{ seq: string; event_id: string }[]> =>
  (await run('claim', [HOLDER, clock.now(), new Date(clock.nowMs() + SOON_MS), 256])) as never
const markAsBefore = (seqs: readonly string[]) =>
  run('mark', [seqs, seqs.map(() => 1_000_000), clock.now(), HOLDER])
const endLease = () => replica.query('UPDATE outbox_relay SET holder = NULL')

const appendAsNow = (event: Event) =>
  db.transaction(async (tx) => {
    tx.emit(event)
    await Promise.resolve()
  })
const upgrade = async () => {
  for (const file of UPGRADE) await replica.query(readFileSync(new URL(file, MIGRATIONS), 'utf8'))
}
const unpublished = async (): Promise<string[]> => {
  const { rows } = await replica.query<{ event_id: string }>(
    'SELECT event_id FROM outbox_unpublished JOIN outbox_events USING (seq) ORDER BY seq',
  )
  return rows.map((row) => row.event_id)
}
const kept = async (): Promise<number> =>
  (await replica.query<{ n: number }>('SELECT count(*)::int AS n FROM outbox_events')).rows[0]?.n ?? -1

/** Relays that a test has started; one of a test that failed would keep the process from ending. */
const started: ReturnType<typeof startRelay>[] = []
const relayOfNow = () => {
  const relay = startRelay({ service: 'payments', db, bus, clock, log: silent })
  started.push(relay)
  return relay
}
/** Runs this version's relay until nothing is unpublished. */
const relayAsNow = async () => {
  const relay = relayOfNow()
  await eventually(async () => (await unpublished()).length === 0)
  await relay.stop()
}
const onStream = async (): Promise<number> =>
  (await (await bus.jetstreamManager()).streams.info('EVENTS')).state.messages

beforeAll(async () => {
  bus = await testBus()
})
beforeEach(async () => {
  await forgetEvents(bus)
  const database = await testDatabase('upgrade')
  drop = database.drop
  replica = new pg.Client({ connectionString: database.url })
  await replica.connect()
  for (const file of readdirSync(MIGRATIONS).sort())
    if (!UPGRADE.includes(file)) await replica.query(readFileSync(new URL(file, MIGRATIONS), 'utf8'))
  clock = createClock()
  db = createDb({
    url: database.url,
    name: 'payments',
    log: silent,
    clock,
    poolSize: 2,
    pipelinedConnections: 1,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
  })
})
afterEach(async () => {
  for (const relay of started.splice(0)) await relay.stop()
  await db.close()
  await replica.end()
  await drop()
})
afterAll(() => bus.close())

test('events that the version before appended, before and after the upgrade, are relayed by this version', async () => {
  const [published, before, after] = [anEvent(), anEvent(), anEvent()]
  await appendAsBefore(published)
  await markAsBefore((await claimAsBefore()).map((row) => row.seq))
  await appendAsBefore(before)
  await upgrade()
  await appendAsBefore(after)
  expect(await unpublished()).toEqual([before.id, after.id])
  await endLease()
  await relayAsNow()
  expect(await onStream()).toBe(2)
})

test('events that this version appended are relayed by the version before, and then not by this one', async () => {
  const [before, now, last] = [anEvent(), anEvent(), anEvent()]
  await appendAsBefore(before)
  expect(await claimAsBefore()).toHaveLength(1)
  await upgrade()
  await appendAsNow(now)
  const claimed = await claimAsBefore()
  expect(claimed.map((row) => row.event_id)).toEqual([before.id, now.id])
  await markAsBefore(claimed.map((row) => row.seq))
  expect(await claimAsBefore()).toEqual([])
  await appendAsNow(last)
  await endLease()
  await relayAsNow()
  expect(await onStream()).toBe(1)
})

test('the version before sees each event once, published or not', async () => {
  const [before, now] = [anEvent(), anEvent()]
  await upgrade()
  await appendAsBefore(before)
  await markAsBefore((await claimAsBefore()).map((row) => row.seq))
  await appendAsNow(now)
  const { rows } = await replica.query<{ event_id: string; published: boolean }>(
    'SELECT event_id, published_at IS NOT NULL AS published FROM outbox ORDER BY seq',
  )
  expect(rows).toEqual([
    { event_id: before.id, published: true },
    { event_id: now.id, published: false },
  ])
})

test('after the stream has lost its data, each version publishes again what the other had published', async () => {
  const [before, now] = [anEvent(), anEvent()]
  await upgrade()
  await appendAsBefore(before)
  await markAsBefore((await claimAsBefore()).map((row) => row.seq))
  await appendAsNow(now)
  await endLease()
  await relayAsNow()
  await run('republish', ['a new stream', 0])
  expect(await unpublished()).toEqual([before.id, now.id])
  await relayAsNow()
  await forgetEvents(bus)
  const relay = relayOfNow()
  await eventually(async () => (await onStream()) === 2)
  await relay.stop()
})

test('this version publishes again what the version before alone had published', async () => {
  const before = anEvent()
  await upgrade()
  await appendAsBefore(before)
  await markAsBefore((await claimAsBefore()).map((row) => row.seq))
  await appendAsNow(anEvent())
  await endLease()
  await relayAsNow()
  expect(await onStream()).toBe(1)
  await forgetEvents(bus)
  const relay = relayOfNow()
  await eventually(async () => (await onStream()) === 2)
  await relay.stop()
})

test('what either version published is deleted by this version after 7 days, and by the version before never', async () => {
  await upgrade()
  await appendAsBefore(anEvent())
  await markAsBefore((await claimAsBefore()).map((row) => row.seq))
  await appendAsNow(anEvent())
  await endLease()
  await relayAsNow()
  expect(await run('deleteExpired', [new Date(clock.nowMs() + SOON_MS), 5_000])).toEqual([])
  expect(await kept()).toBe(2)
  const relay = relayOfNow()
  clock.advance(EVENT_RETENTION_MS + SOON_MS)
  await eventually(async () => (await kept()) === 0)
  await relay.stop()
})

test('what the version before published is kept past 7 days while it is to be published again', async () => {
  const [listedAgain, published] = [anEvent(), anEvent()]
  await upgrade()
  await appendAsBefore(listedAgain)
  await appendAsBefore(published)
  const claimed = await claimAsBefore()
  await markAsBefore(claimed.map((row) => row.seq))
  await replica.query('INSERT INTO outbox_unpublished VALUES ($1)', [claimed[0]?.seq])
  const leaseUntil = new Date(clock.nowMs() + 2 * EVENT_RETENTION_MS)
  await replica.query("UPDATE outbox_relay SET holder = 'dead replica', lease_until = $1", [leaseUntil])
  const relay = relayOfNow()
  clock.advance(EVENT_RETENTION_MS + SOON_MS)
  await eventually(async () => (await kept()) === 1)
  await relay.stop()
  expect(await unpublished()).toEqual([listedAgain.id])
})

test('the version before claims without reading what is published', async () => {
  await upgrade()
  await replica.query('SET enable_seqscan = off')
  const { rows } = await replica.query<{ 'QUERY PLAN': string }>(
    'EXPLAIN SELECT seq, event_id, subject, payload, traceparent FROM outbox WHERE published_at IS NULL ORDER BY seq LIMIT 256',
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('outbox_unpublished')
  expect(plan).not.toContain('Append')
})
