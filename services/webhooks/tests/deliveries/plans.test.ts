import { firstIdAt, newId, newIdAt } from '@causeway/chassis'
import { statementOf, testDatabase } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { claimDue, MAX_CLAIMED } from '../../src/engine/slow-path/store.ts'
import {
  deadDeliveries,
  filteredDeliveries,
  listDeliveries,
  SCAN_LIMIT,
  waitingDeliveries,
} from '../../src/deliveries/store.ts'
import { eventIdsBetween } from '../../src/event-order.ts'
import { listEvents } from '../../src/events/store.ts'

const byNumber = (one: string, other: string) => Number.parseInt(one, 10) - Number.parseInt(other, 10)
const MIGRATIONS = new URL('../../migrations/', import.meta.url)
const ROWS = 30_000
const MINUTE_MS = 60_000
const endMs = Date.now()
const beginMs = endMs - ROWS * MINUTE_MS
const LATER = new Date('9999-01-01T00:00:00Z')

let database: Awaited<ReturnType<typeof testDatabase>>
let client: pg.Client
const owner = newId('merchant')
const webhook = newId('webhook')
const [backlogOwner, backlogged] = [newId('merchant'), newId('webhook')]

/** One a minute: all delivered but for some old dead ones, and a few of a rare type. */
const fill = async () => {
  const at = Array.from({ length: ROWS }, (_, n) => beginMs + n * MINUTE_MS)
  const types = at.map((_, n) => (n < 3_000 && n % 100 === 0 ? 'risk_alert' : 'paid'))
  const states = at.map((_, n) =>
    n < 2_000 && n % 10 === 0 ? 'dead' : n % 6_000 === 0 ? 'waiting' : 'delivered',
  )
  const events = at.map((ms) => newIdAt('event', ms))
  await client.query(
    `INSERT INTO events (owner_id, event_id, type, body, created_at)
     SELECT $1, event_id, type, '{}', to_timestamp(ms / 1000.0)
     FROM unnest($2::text[], $3::text[], $4::float8[]) AS given (event_id, type, ms)`,
    [owner, events, types, at],
  )
  await client.query(
    `INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
       created_at)
     SELECT $1, id, $2, event_id, type, state, 1, 0, to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0)
     FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::float8[])
       AS given (id, event_id, type, state, ms)`,
    [webhook, owner, at.map((ms) => newIdAt('delivery', ms)), events, types, states, at],
  )
  await client.query('ANALYZE')
}

/** A backlog of another destination, the youngest due first. */
const fillBacklog = async () => {
  const ids = Array.from({ length: ROWS }, (_, n) => newIdAt('event', beginMs + n))
  const deliveryIds = ids.map((id) => id.replace('evt_', 'dlv_'))
  await client.query(
    `INSERT INTO events (owner_id, event_id, type, body, created_at)
     SELECT $1, event_id, 'paid', '{}', now() FROM unnest($2::text[]) AS event_id`,
    [backlogOwner, ids],
  )
  await client.query(
    `INSERT INTO deliveries (destination_id, id, owner_id, event_id, event_type, state, lane, retries_used, due_at,
       next_attempt_at, created_at)
     SELECT $1, id, $2, event_id, 'paid', 'waiting', 0, 0, due_at, due_at, now()
     FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given (id, event_id, n),
       LATERAL (SELECT to_timestamp($5::float8 / 1000.0) - n * interval '1 second' AS due_at) AS due`,
    [backlogged, backlogOwner, deliveryIds, ids, endMs],
  )
  await client.query('ANALYZE')
}

beforeAll(async () => {
  database = await testDatabase('plans')
  // As the services' connections are (packages/chassis/src/db/connection.ts).
  client = new pg.Client({ connectionString: database.url, options: '-c enable_seqscan=off' })
  await client.connect()
  for (const file of readdirSync(MIGRATIONS).sort(byNumber))
    await client.query(readFileSync(new URL(file, MIGRATIONS), 'utf8'))
  await fill()
  await fillBacklog()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

type Value = string | number | Date | null

type Node = Readonly<{
  'Node Type': string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: readonly Node[]
}>

const literal = (value: Value): string =>
  value === null ? 'NULL' : pg.escapeLiteral(value instanceof Date ? value.toISOString() : value.toString())

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Runs a statement by its generic plan. @returns the rows that it read */
const explained = async (run: Parameters<typeof statementOf>[0]) => {
  const { text, values } = await statementOf(run)
  await client.query('SET plan_cache_mode = force_generic_plan')
  const given = (values as readonly (Value | readonly Value[])[]).map((value) =>
    literal(value instanceof Array ? `{${value.join()}}` : value),
  )
  await client.query(`PREPARE plan AS ${text}`)
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE plan (${given.join(', ')})`,
  )
  await client.query('DEALLOCATE plan')
  const [top] = rows[0]?.['QUERY PLAN'] ?? []
  if (!top) throw new Error('No plan')
  const nodes = nodesOf(top.Plan)
  const read = nodes
    .filter((node) => node['Node Type'].endsWith('Scan') && node['Index Name'] !== undefined)
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
  return {
    found: top.Plan['Actual Rows'],
    indexes: new Set(nodes.flatMap((node) => node['Index Name'] ?? [])),
    scansTables: nodes.some((node) => node['Node Type'] === 'Seq Scan'),
    mostRead: Math.max(...read),
  }
}

const LIMIT = 50
/** Rows of the small owner, of 30,000. */
const FEW = 2_000
const span = (fromMs: number, until: Date, untilMs: number) => ({
  ownerId: owner,
  webhookId: webhook,
  fromId: firstIdAt('delivery', fromMs),
  beforeId: firstIdAt('delivery', untilMs),
  since: new Date(fromMs),
  until,
})
const shownSince = { oldestAttempt: new Date(0) }
const all = span(0, LATER, Date.parse('9999-01-01'))

test('finds old deliveries of a busy destination by their time alone', async () => {
  const untilMs = beginMs + 500 * MINUTE_MS
  const plan = await explained((db) =>
    listDeliveries(db, {
      ...span(beginMs + 400 * MINUTE_MS, new Date(untilMs), untilMs),
      ...shownSince,
      limit: LIMIT,
    }),
  )
  expect(plan).toMatchObject({ found: LIMIT, scansTables: false })
  expect(plan.indexes).toContain('deliveries_pkey')
  expect(plan.mostRead).toBeLessThan(FEW)
})

test.each([
  ['all types', null, LIMIT],
  ['a rare type', 'risk_alert', 20],
])('finds dead deliveries of %s among the many that are not dead', async (_, eventType, found) => {
  const plan = await explained((db) =>
    deadDeliveries.list(db, { ...all, ...shownSince, limit: LIMIT, state: 'dead', eventType }),
  )
  expect(plan).toMatchObject({ found, scansTables: false })
  expect(plan.indexes).toContain('deliveries_dead')
  expect(plan.mostRead).toBeLessThan(FEW)
})

test.each([
  ['delivered ones', 'delivered', null, LIMIT, LIMIT],
  ['a rare type that is far away', null, 'risk_alert', 0, SCAN_LIMIT],
])('scans a bounded number of deliveries for a page of %s', async (_, state, eventType, found, mostRead) => {
  const plan = await explained((db) =>
    filteredDeliveries.list(db, { ...all, ...shownSince, limit: LIMIT, state, eventType }),
  )
  expect(plan).toMatchObject({ found, scansTables: false })
  expect(plan.indexes).toContain('deliveries_pkey')
  expect(plan.mostRead).toBeLessThanOrEqual(mostRead)
})

test('finds the next position of a page that reached the scan limit through the index', async () => {
  const plan = await explained((db) => filteredDeliveries.findScanPosition(db, all))
  expect(plan).toMatchObject({ found: 1, scansTables: false, mostRead: SCAN_LIMIT })
  expect(plan.indexes).toContain('deliveries_pkey')
})

test('finds a few waiting deliveries among many others', async () => {
  const plan = await explained((db) =>
    waitingDeliveries.list(db, { ...all, ...shownSince, limit: LIMIT, eventType: null }),
  )
  expect(plan).toMatchObject({ found: 4, scansTables: false })
  expect(plan.indexes).toContain('deliveries_waiting')
  expect(plan.mostRead).toBeLessThan(FEW)
})

/** One more than are sorted: these are counted to tell a large backlog. */
const COUNTED = 5_001

test('scans a bounded number of deliveries for a page of a large backlog and its next position', async () => {
  const span = { ...all, ownerId: backlogOwner, webhookId: backlogged }
  const plan = await explained((db) =>
    waitingDeliveries.list(db, { ...span, ...shownSince, limit: LIMIT, eventType: null }),
  )
  expect(plan).toMatchObject({ found: LIMIT, scansTables: false })
  expect(plan.mostRead).toBe(COUNTED)
  const position = await explained((db) => waitingDeliveries.findScanPosition(db, span))
  expect(position).toMatchObject({ found: 1, scansTables: false, mostRead: SCAN_LIMIT })
})

test('reads no more than the page of a few waiting deliveries', async () => {
  const position = await explained((db) => waitingDeliveries.findScanPosition(db, all))
  expect(position).toMatchObject({ found: 0, scansTables: false })
})

test('finds old events of a busy owner by their time', async () => {
  const since = new Date(beginMs + 400 * MINUTE_MS)
  const until = new Date(beginMs + 500 * MINUTE_MS)
  const filter = { eventType: null, status: null, limit: LIMIT }
  const plan = await explained((db) =>
    listEvents(db, {
      ownerId: owner,
      ...eventIdsBetween(since.getTime(), until.getTime()),
      since,
      until,
      ...filter,
    }),
  )
  expect(plan).toMatchObject({ found: LIMIT, scansTables: false })
  expect(plan.indexes).toContain('events_pkey')
  expect(plan.mostRead).toBeLessThan(FEW)
})

const claimOf = (count: number) => ({
  priorities: [0],
  destinationIds: [backlogged],
  counts: [count],
  leaseEndsMs: [endMs + MINUTE_MS],
  fromsMs: [0],
  nowMs: endMs,
  leaseId: randomUUID(),
})

test('reads exactly the rows that it claims, wherever they are in the backlog', async () => {
  const plan = await explained((db) => claimDue(db, claimOf(MAX_CLAIMED)))
  expect(plan.found).toBe(MAX_CLAIMED)
  expect(plan.indexes).toContain('deliveries_waiting')
  expect(plan.mostRead).toBe(MAX_CLAIMED)
})

test('claims as many rows as requested and locks no more', async () => {
  await client.query('BEGIN')
  const { text, values } = await statementOf((db) => claimDue(db, claimOf(3)))
  const { rowCount } = await client.query(text, [...values])
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  const { rows } = await other.query<{ free: number }>(
    `SELECT count(*)::integer AS free FROM (
       SELECT FROM deliveries WHERE destination_id = $1 FOR UPDATE SKIP LOCKED) AS unlocked`,
    [backlogged],
  )
  await other.end()
  await client.query('ROLLBACK')
  expect({ claimed: rowCount, free: rows[0]?.free }).toEqual({ claimed: 3, free: ROWS - 3 })
})
