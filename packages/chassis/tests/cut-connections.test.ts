import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { z } from 'zod'
import { createDb, migrate } from '../src/database.ts'
import { createClock, NotDoneError, queryNone, queryOne, type Db } from '../src/index.ts'
import { eventually, testDatabase } from '../src/testing/index.ts'
import { fileURLToPath } from 'node:url'
import { silent } from './fixture.ts'

const one = queryOne({ name: 'test.one', text: 'SELECT 1 AS one', row: z.object({ one: z.number() }) })
const sleepLong = queryNone({ name: 'test.sleep-long', text: 'SELECT pg_sleep(30)' })

/** A way to the database that can be cut in three ways: both ends see an end, a reset, or nothing at all. */
const startWay = async (target: Readonly<{ host: string; port: number }>) => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isOpen = true
  let refused = 0
  const server: Server = createServer((near) => {
    if (!isOpen) {
      refused += 1
      return void near.resetAndDestroy()
    }
    const far = connect(target.port, target.host)
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    /** Nothing passes any more. */
    hold: () => {
      for (const pair of pairs) for (const socket of pair) socket.unpipe()
    },
    cut: (how: 'end' | 'reset' | 'silence') => {
      for (const [near, far] of pairs) {
        if (how === 'end') near.end()
        else if (how === 'reset') near.resetAndDestroy()
        else {
          near.unpipe()
          far.unpipe()
        }
      }
      pairs.clear()
    },
    /** New connections are refused until it is opened again. */
    shut: () => {
      isOpen = false
    },
    refused: () => refused,
    openAgain: () => {
      isOpen = true
    },
    close: () => {
      isOpen = false
      server.close()
      for (const [near] of pairs) near.destroy()
    },
  }
}

let database: Awaited<ReturnType<typeof testDatabase>>
let way: Awaited<ReturnType<typeof startWay>>
let db: Db

let isStarting = false
beforeEach(async () => {
  isStarting = false
  database = await testDatabase('cut')
  const url = new URL(database.url)
  way = await startWay({ host: url.hostname, port: Number(url.port) })
  url.port = String(way.port)
  url.hostname = '127.0.0.1'
  await migrate({
    url: database.url,
    folder: fileURLToPath(new URL('./migrations', import.meta.url)),
    log: silent,
  })
  db = createDb({
    url: url.href,
    name: 'test',
    log: silent,
    clock: createClock(),
    poolSize: 2,
    pipelinedConnections: 2,
    statementTimeoutMs: 300,
    isStarting: () => isStarting,
  })
})
afterEach(async () => {
  way.close()
  await database.drop()
})

/** Many statements of every kind. @returns how many have not settled */
const load = () => {
  let open = 0
  const track = (work: Promise<unknown>) => {
    open += 1
    work.catch(() => undefined).finally(() => (open -= 1))
  }
  const start = () => {
    for (let n = 0; n < 20; n += 1) {
      track(one(db))
      track(db.transaction((tx) => one(tx)))
      track(one(db.pooled))
    }
    track(sleepLong(db))
    track(db.transaction((tx) => sleepLong(tx)))
  }
  return { start, open: () => open }
}

test.each([
  ['end', 10],
  ['reset', 10],
  // Each statement waits for its timeout.
  ['silence', 1],
] as const)(
  'settles every statement when connections are cut (%s), and the database works and closes afterwards',
  async (how, rounds) => {
    const { start, open } = load()
    for (let round = 0; round < rounds; round += 1) {
      start()
      if (round % 2 === 0) await new Promise(setImmediate)
      else await new Promise((resolve) => setTimeout(resolve, round * 3))
      way.cut(how)
    }
    await eventually(() => open() === 0)
    expect(await eventually(() => one(db))).toEqual({ one: 1 })
    expect(await eventually(() => db.transaction((tx) => one(tx)))).toEqual({ one: 1 })
    await db.close()
  },
)

test('frees the slot of a transaction whose connection is cut at its BEGIN and reports it as not done', async () => {
  for (let round = 0; round < 4; round += 1) {
    await eventually(() => db.transaction((tx) => one(tx)))
    way.hold()
    const begun = db.transaction((tx) => one(tx))
    await new Promise((resolve) => setTimeout(resolve, 20))
    way.cut('reset')
    await expect(begun).rejects.toBeInstanceOf(NotDoneError)
  }
  await db.close()
})

test.each([
  ['a statement', () => one(db)],
  ['a slow statement', () => one(db.pooled)],
  ['a transaction', () => db.transaction((tx) => one(tx))],
])(
  'makes %s wait for a database that cannot be reached, but only while the process starts',
  async (_, run) => {
    way.shut()
    await expect(run()).rejects.toBeInstanceOf(NotDoneError)
    isStarting = true
    const refused = way.refused()
    const started = run()
    await eventually(() => way.refused() > refused + 2)
    way.openAgain()
    expect(await started).toEqual({ one: 1 })
    await db.close()
  },
)
