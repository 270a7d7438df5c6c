import { appendFacts, createClock, newId, type Db, type Running, type ServiceConfig } from '@causeway/chassis'
import { startKeylessService } from '@causeway/chassis/database'
import {
  eventually,
  forgetEvents,
  openTestDb,
  runSql,
  testBus,
  testDatabase,
  testServiceConfig,
} from '@causeway/chassis/testing'
import type { EventOf } from '@causeway/contracts'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { startLedger } from '../../src/service.ts'
import { verifyBooks } from '../../src/verification/verify.ts'
import { sumsOf } from '../fixtures/books.ts'
import { paid, swept } from '../fixtures/facts.ts'

const COMPARE_EVERY_MS = 200
const ENCRYPTION_KEY = randomBytes(32)
const CHASSIS_MIGRATIONS = fileURLToPath(
  new URL('../../../../packages/chassis/tests/migrations', import.meta.url),
)

/** A database that can be restored to an earlier state while nothing is connected to it. */
const openRestorable = async (name: string) => {
  const { url, drop } = await testDatabase(name)
  const database = new URL(url).pathname.slice(1)
  const admin = process.env['CAUSEWAY_TEST_POSTGRES_URL'] ?? ''
  return {
    url,
    query: (sql: string, values?: unknown[]) => runSql(url, sql, values),
    backUp: () => runSql(admin, `CREATE DATABASE ${database}_backup TEMPLATE ${database}`),
    async restore() {
      await runSql(admin, `DROP DATABASE ${database} WITH (FORCE)`)
      await runSql(admin, `ALTER DATABASE ${database}_backup RENAME TO ${database}`)
    },
    drop,
  }
}

const nothingServed = () => Promise.resolve({ operations: [], stop: () => Promise.resolve() })

type Part = 'ledger' | 'payments' | 'signer'

/**
 * The ledger, and two bare chassis services: `payments`, whose events carry facts, and `signer`, which keeps facts without
 * events. All start stopped.
 */
export const openPlatform = async () => {
  const [books, source] = [await openRestorable('ledger'), await openRestorable('chassis')]
  const signer = await openRestorable('chassis')
  const bus = await testBus()
  await forgetEvents(bus)
  const clock = createClock()
  const configOf = (name: Part, databaseUrl: string): ServiceConfig =>
    testServiceConfig(name, databaseUrl, clock)
  const running = new Map<Part, Running>()
  const stop = async (name: Part): Promise<void> => {
    await running.get(name)?.stop()
    running.delete(name)
  }
  const start = async (name: 'payments' | 'signer'): Promise<void> => {
    const service = await startKeylessService(
      { name, migrations: CHASSIS_MIGRATIONS, build: nothingServed },
      configOf(name, { payments: source, signer }[name].url),
    )
    running.set(name, service)
  }
  const startSource = () => start('payments')
  const withBooks = async <T>(read: (db: Db) => Promise<T>): Promise<T> => {
    const db = openTestDb(books.url)
    try {
      return await read(db)
    } finally {
      await db.close()
    }
  }
  for (const name of ['payments', 'signer'] as const) {
    await start(name)
    await stop(name)
  }

  let [orders, sweeps] = [0, 0]
  return {
    bus,
    books,
    source,
    signer,
    startSource,
    startSigner: () => start('signer'),
    async startLedger() {
      running.set(
        'ledger',
        await startLedger({
          ...configOf('ledger', books.url),
          keys: { encryptionKey: ENCRYPTION_KEY },
          chainCompareEveryMs: 3_600_000,
          compareEveryMs: COMPARE_EVERY_MS,
          publicBaseUrl: 'https://api.example',
          walletRules: { requiresProof: false, waitMs: 0 },
          cutOffMs: 0,
          settlement: { fees: new Map(), termMs: 604_800_000, pollMs: 3_600_000 },
          debtor: {},
        }),
      )
    },
    stop,
    /** Commits the payment of another order, with its event. */
    async pay() {
      const fact = paid({
        fact_id: `card_paid:${(orders += 1)}`,
        partner_customer_id: newId('relationship'),
        at: clock.now().toISOString(),
        available_at: new Date(clock.nowMs() + 3_600_000).toISOString(),
      })
      const event: EventOf<'payment.confirmed'> = {
        id: newId('event'),
        name: 'payment.confirmed',
        created_at: fact.at,
        partners: [],
        merchant: null,
        fact: null,
        ledger_facts: [fact],
      }
      const db = openTestDb(source.url, clock, { name: 'payments' })
      await db.transaction((tx) => {
        tx.emit(event)
        return Promise.resolve()
      })
      await db.close()
      return { fact, event }
    },
    /** Commits the broadcast of another sweep, as the signer does. */
    async sweep() {
      const fact = swept({
        fact_id: `transfer_moved:${(sweeps += 1)}:broadcast`,
        step: 'broadcast',
        arrives: '0',
        at: clock.now().toISOString(),
      })
      const db = openTestDb(signer.url, clock, { name: 'signer' })
      await db.transaction((tx) => appendFacts(tx, 'signer', [fact]))
      await db.close()
      return fact
    },
    /** Amount of BTC in flight, in satoshi. */
    inFlight: async () => (await withBooks(sumsOf))['chain:BTC:in_flight BTC/BTC'],
    /** Keeps the committed events from the stream: call it while the source is stopped. */
    loseUnpublished: () => source.query('TRUNCATE outbox_unpublished'),
    whenPublished: () =>
      eventually(async () => (await source.query('TABLE outbox_unpublished')).length === 0),
    pendingOf: async ({ fact }: { fact: { partner_customer_id: string } }) =>
      (await withBooks(sumsOf))[`${fact.partner_customer_id}:pending EUR`],
    faults: () => withBooks((db) => verifyBooks(db.pooled, clock.now())),
    differences: async () =>
      (await books.query('SELECT fact_id, kind FROM fact_differences ORDER BY fact_id')).map(
        ({ fact_id: id, kind }) => `${String(id)} ${String(kind)}`,
      ),
    async close() {
      for (const name of ['ledger', 'payments', 'signer'] as const) await stop(name)
      await bus.close()
      for (const database of [books, source, signer]) await database.drop()
    },
  }
}
export type OpenedPlatform = Awaited<ReturnType<typeof openPlatform>>
