import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import {
  createClock,
  createLogger,
  createMarks,
  queryMany,
  queryNone,
  queryOne,
  type Bus,
  type Db,
  type Marks,
} from '@causeway/chassis'
import { openTestDb, makeStreams, testBus, testDatabase } from '@causeway/chassis/testing'
import { MARK_STREAM, type Network } from '@causeway/contracts'
import { createDestinations, SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { z } from 'zod'
import { createNumberMarks } from '../../src/order-numbers/grant.ts'
import { keepNumbers } from '../../src/order-numbers/jobs/keep-numbers.ts'
import { watchSkipped } from '../../src/order-numbers/jobs/watch-skipped.ts'
import { createOrderNumbers, type OrderNumbers } from '../../src/order-numbers/order-numbers.ts'
import type { Numbered } from '../../src/order-numbers/segment.ts'
import { CARD_KEY, takeNumbers } from '../../src/order-numbers/store.ts'

const log = createLogger({ service: 'test', level: 'silent' })

const saveRows = queryNone({
  name: 'test.save-numbers',
  text: 'CREATE TABLE saved AS SELECT * FROM order_numbers',
})
/** As a restored dump has them: the same values, written by another transaction. */
const restoreRows = queryNone({
  name: 'test.restore-numbers',
  text: `
    UPDATE order_numbers o
    SET next = s.next, ceiling = s.ceiling, run = s.run, seen_at = s.seen_at, written_by = s.written_by
    FROM saved s WHERE s.name = o.name`,
})
/** As a backup from before the first grant has them, restored into another server or started again in this one. */
const restoreUnused = queryNone({
  name: 'test.restore-unused-numbers',
  parameters: { isOtherServer: 'boolean' },
  text: `
    UPDATE order_numbers o SET next = s.next, ceiling = s.ceiling, run = NULL, written_by = NULL, seen_at = s.seen_at,
      created_in = CASE WHEN :isOtherServer THEN 'other/' || s.created_in ELSE s.created_in || '1' END
    FROM saved s WHERE s.name = o.name`,
})
/** As a volume's snapshot has them: whole rows of another run of the server with the same history. */
const asAnotherRun = queryNone({
  name: 'test.another-run',
  text: "UPDATE order_numbers SET run = run || '1', written_by = pg_current_xact_id()::xid",
})
const takeCardKey = queryOne({
  name: 'test.take-card-key',
  text: `SELECT ${CARD_KEY} AS key`,
  row: z.object({ key: z.number().nullable() }),
})
const setCardKeys = queryOne({
  name: 'test.set-card-keys',
  parameters: { last: 'bigint' },
  text: "SELECT setval('card_order_keys', :last) AS last",
  row: z.object({ last: z.number() }),
})
const listSkipped = queryMany({
  name: 'test.list-skipped',
  text: 'SELECT watch_address, network, number FROM skipped_addresses ORDER BY network, number',
  row: z.object({ watchAddress: z.string(), network: z.string(), number: z.number() }),
})
const setRow = queryNone({
  name: 'test.set-numbers',
  parameters: { name: 'text', next: 'bigint', run: 'text?' },
  text: 'UPDATE order_numbers SET next = :next, ceiling = :next, run = :run WHERE name = :name',
})

const destinations = createDestinations(SANDBOX_ACCOUNTS)
const limitOf = (name: Numbered) => (name === 'card' ? 2 ** 40 : destinations.lastOf(name))

let bus: Bus
let marks: Marks
let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
let nowMs: number

const openDb = (url: string): Db => openTestDb(url, createClock(), { poolSize: 1, pipelinedConnections: 2 })
const contextOf = (itsMarks = marks) => ({ db, clock: createClock(() => nowMs), log, marks: itsMarks })
const replica = (itsMarks = marks): OrderNumbers => {
  const context = contextOf(itsMarks)
  return createOrderNumbers(context, createNumberMarks(context), destinations.lastOf)
}
const take = async (count: number, name: Network = 'BTC', from = replica()): Promise<number[]> => {
  const taken: number[] = []
  while (taken.length < count) taken.push(await from.take(name))
  return taken
}
const loseMarks = async () => {
  const manager = await bus.jetstreamManager()
  await manager.streams.delete(MARK_STREAM)
  await makeStreams(bus)
}
const restore = () => restoreRows(db)

beforeAll(async () => {
  bus = await testBus()
  marks = createMarks(bus, 'payments')
})
beforeEach(async () => {
  await makeStreams(bus)
  await loseMarks()
  nowMs = 1_800_000_000_000
  database = await testDatabase('payments')
  db = openDb(database.url)
})
afterEach(async () => {
  await db.close()
  await database.drop()
})
afterAll(() => bus.close())

/** Numbers that are in both lists. */
const repeated = (before: readonly number[], after: readonly number[]): number[] => {
  const known = new Set(before)
  return after.filter((number) => known.has(number))
}

it('grants each number once from the first one on when two replicas take 2,000 concurrently', async () => {
  const replicas = [replica(), replica()]
  const taken = (await Promise.all(replicas.map((from) => take(1_000, 'BTC', from)))).flat()
  expect(new Set(taken).size).toBe(2_000)
  expect(Math.min(...taken)).toBe(1)
  expect(Math.max(...taken)).toBeLessThan(5_000)
})

it('gives card orders consecutive keys from 1001 on, and after a restore only keys that were never given', async () => {
  const numbers = replica()
  const keyOf = async () => (await takeCardKey(db))?.key ?? null
  expect(await keyOf()).toBeNull()
  await numbers.grantCardKeys()
  expect([await keyOf(), await keyOf()]).toEqual([1_001, 1_002])
  await saveRows(db)
  const lost = new Set<number | null>([1_001, 1_002])
  for (let made = 0; made < 3; made += 1) lost.add(await keyOf())
  for (let round = 0; round < 2; round += 1) {
    await restore()
    await setCardKeys(db, { last: 1_002 })
    expect(await keyOf()).toBeNull()
    await numbers.grantCardKeys()
    const key = await keyOf()
    expect(key).toBeGreaterThan(2_000)
    expect(lost).not.toContain(key)
    lost.add(key)
  }
})

describe('two restores from the same copy', () => {
  it.each([
    ['with the marks', false],
    ['without the marks', true],
  ])('grant no number again %s', async (_, isMarkLost) => {
    const first = await take(100)
    await keepNumbers(contextOf(), createNumberMarks(contextOf()), limitOf)
    await saveRows(db)
    const lost = [...(await take(400)), ...(await take(1_500))]
    const issued = [...first, ...lost]
    for (let round = 0; round < 2; round += 1) {
      nowMs += 5_000
      await restore()
      if (isMarkLost) await loseMarks()
      const next = await take(400)
      expect(repeated(issued, next)).toEqual([])
      issued.push(...next)
    }
  })

  it.each([
    ['of another server', true],
    ['of an earlier start of the server', false],
  ])(
    'grant no number again without the marks when taken before the first grant, %s',
    async (_, isOtherServer) => {
      await saveRows(db)
      const issued = await take(400)
      for (let round = 0; round < 2; round += 1) {
        nowMs += 5_000
        await restoreUnused(db, { isOtherServer })
        await loseMarks()
        const next = await take(400)
        expect(repeated(issued, next)).toEqual([])
        issued.push(...next)
      }
    },
  )

  it('watch the addresses of the lost numbers', async () => {
    await take(1)
    await saveRows(db)
    const lost = await take(40)
    nowMs += 5_000
    await restore()
    await take(1)
    while (await watchSkipped(db, destinations));
    const ofBitcoin = (await listSkipped(db)).filter((row) => row.network === 'BTC')
    const watched = new Map(ofBitcoin.map((row) => [row.number, row.watchAddress]))
    for (const number of lost)
      expect(watched.get(number)).toBe(destinations.derive('BTC', number).watchAddress)
  })

  it('watch them for each network that has a receiving account, whichever others have none', async () => {
    await Promise.all([take(1, 'BTC'), take(1, 'LTC')])
    await saveRows(db)
    nowMs += 5_000
    await restore()
    await Promise.all([take(1, 'BTC'), take(1, 'LTC')])
    const networks = async () => [...new Set((await listSkipped(db)).map((row) => row.network))]
    while (await watchSkipped(db, createDestinations({ LTC: SANDBOX_ACCOUNTS.LTC })));
    expect(await networks()).toEqual(['LTC'])
    while (await watchSkipped(db, destinations));
    expect(await networks()).toEqual(['BTC', 'LTC'])
  })
})

it("discards a replica's numbers when the server is another one, and takes new ones", async () => {
  const context = contextOf()
  const numbers = createOrderNumbers(context, createNumberMarks(context), destinations.lastOf)
  const before = await take(10, 'BTC', numbers)
  await asAnotherRun(db)
  const after = await take(100, 'BTC', numbers)
  expect(repeated(before, after)).toEqual([])
  expect(Math.max(...after)).toBeGreaterThan(1_000)
})

it('never grants from a second database with the same content what the first one grants', async () => {
  await take(10)
  await saveRows(db)
  const other = replica()
  const first = await take(600, 'BTC', other)
  await restore()
  const second = await take(600)
  expect(repeated(first, second)).toEqual([])
})

it('does not grant to the copy that was restored while a grant was in flight', async () => {
  await take(10)
  await saveRows(db)
  const taken: number[] = []
  let grants = 0
  const overtaken = replica({
    read: marks.read,
    write: async (...mark) => {
      const written = await marks.write(...mark)
      grants += 1
      if (grants === 1) {
        const block = await takeNumbers(db, { name: 'BTC', count: 50 })
        for (let member = 0; member < 50; member += 1) taken.push((block?.first ?? NaN) + member)
        await restore()
      }
      return written
    },
  })
  while (grants === 0) taken.push(await overtaken.take('BTC'))
  expect(repeated(taken, await take(600))).toEqual([])
})

it('grants numbers from the database alone while the marks do not answer', async () => {
  const away = () => Promise.reject(new Error('no answer'))
  const taken = await take(2_000, 'ETH', replica({ read: away, write: away }))
  expect(new Set(taken).size).toBe(2_000)
  const context = contextOf()
  await keepNumbers(context, createNumberMarks(context), limitOf)
  const mark = await marks.read('ETH')
  expect((mark?.value as { ceiling: number }).ceiling).toBeGreaterThan(Math.max(...taken))
})

it('continues with the next generation where the former sequence ended', async () => {
  await setRow(db, { name: 'BTC', next: 2_146_483_616, run: null })
  await take(1)
  const [number = 0] = await take(1)
  expect(number).toBeGreaterThanOrEqual(2 ** 31)
  expect(destinations.derive('BTC', number).address).toMatch(/^bc1q/)
})

it('refuses a number for which the account of a network has no destination, and reports it', async () => {
  await setRow(db, { name: 'XRP', next: 2 ** 32 - 1, run: null })
  const numbers = replica()
  expect(await numbers.take('XRP')).toBe(2 ** 32 - 1)
  await expect(numbers.take('XRP')).rejects.toThrow('All numbers of XRP are used')
})
