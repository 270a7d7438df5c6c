import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { holdSnapshot } from '../measure/held-snapshot.ts'
import type { QueueSystem } from './queue-system.ts'

/** Undoes what was begun. */
export type End = () => Promise<void>

const KILL_EVERY_MS = 3_000
const TERMINATE_EVERY_MS = 500
const IDLE_CONNECTIONS = 300
const READERS = 4
const SCAN_EVERY_MS = 100

/** Repeats until it is ended; what fails ends the benchmark. */
const repeat = (everyMs: number, act: () => Promise<void> | void): End => {
  const ended = new AbortController()
  const running = (async () => {
    while (!ended.signal.aborted) {
      await act()
      await delay(everyMs, undefined, { signal: ended.signal }).catch(() => undefined)
    }
  })()
  return async () => {
    ended.abort()
    await running
  }
}

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  // A connection that PostgreSQL ends says so by this event too.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const onEach = async (
  system: QueueSystem,
  begin: (database: QueueSystem['databases'][number]) => Promise<End>,
): Promise<End> => {
  const ends = await Promise.all(system.databases.map(begin))
  return async () => {
    await Promise.all(ends.map((end) => end()))
  }
}

export const killOnce = (system: QueueSystem): Promise<End> => {
  system.killWorker()
  return Promise.resolve(() => Promise.resolve())
}

export const killRepeatedly = (system: QueueSystem): Promise<End> =>
  Promise.resolve(repeat(KILL_EVERY_MS, () => system.killWorker()))

export const restartDatabase = (system: QueueSystem): Promise<End> => {
  const restarted = system.restartDatabase()
  return Promise.resolve(() => restarted)
}

/** Ends the queue's connections that are at work, twice a second. */
export const terminateBackends = (system: QueueSystem): Promise<End> =>
  onEach(system, async ({ url }) => {
    const client = await connect(url)
    const end = repeat(TERMINATE_EVERY_MS, async () => {
      await client.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
          AND state IN ('active', 'idle in transaction')`)
    })
    return async () => {
      await end()
      await client.end()
    }
  })

/** Opens idle connections until PostgreSQL refuses more. */
export const exhaustConnections = (system: QueueSystem): Promise<End> =>
  onEach(system, async ({ url }) => {
    const clients: pg.Client[] = []
    while (clients.length < IDLE_CONNECTIONS) {
      const client = await connect(url).catch(() => null)
      if (client === null) break
      clients.push(client)
    }
    return async () => {
      await Promise.all(clients.map((client) => client.end()))
    }
  })

/** A transaction that is left open. */
export const idleInTransaction = (system: QueueSystem): Promise<End> =>
  onEach(system, async ({ url }) => (await holdSnapshot(url)).stop)

/** Four transactions that keep reading the table that churns most, each by one snapshot. */
export const activeReaders = (system: QueueSystem): Promise<End> =>
  onEach(system, async ({ url, table }) => {
    const ends = await Promise.all(
      Array.from({ length: READERS }, async () => {
        const client = await connect(url)
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
        const end = repeat(SCAN_EVERY_MS, async () => {
          await client.query(`SELECT count(*) FROM ${table}`)
        })
        return async () => {
          await end()
          await client.end()
        }
      }),
    )
    return async () => {
      await Promise.all(ends.map((end) => end()))
    }
  })
