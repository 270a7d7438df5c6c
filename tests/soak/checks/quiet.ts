import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseName } from '@causeway/dev-env/infrastructure/postgres-databases'
import { mayKeepWaiting, type Destination } from '../receivers.ts'
import type { SoakPlatform } from '../soak-platform.ts'
import { compareBooks } from './books.ts'
import { KEPT_DATABASES, withDatabases, type ReadRows } from './databases.ts'
import { ownersOf, readEmitted } from './outbox.ts'
import { readOutsideBooks, type OutsideBooks } from './outside-books.ts'

const count = async (read: ReadRows, database: DatabaseName, from: string): Promise<number> => {
  const [row] = await read<{ count: number }>(database, `SELECT count(*)::int AS count FROM ${from}`)
  return row?.count ?? 0
}

/** Kept without a reply: the processor failed to open a card order, or refused a refund (docs/REFUNDS.md). */
const MAY_STAY_UNANSWERED: Readonly<Partial<Record<DatabaseName, string>>> = {
  payments: 'SELECT FROM fiat_orders o WHERE o.id = k.recorded AND o.processor_order_id IS NULL',
  refunds: `SELECT FROM refunds r WHERE r.id = k.recorded AND r.state = 'failed'`,
}

/** Keys whose call was begun and never ended. */
const countUnanswered = async (read: ReadRows): Promise<number> => {
  const counts = await Promise.all(
    KEPT_DATABASES.map((name) => {
      const rest = MAY_STAY_UNANSWERED[name]
      return count(
        read,
        name,
        `idempotency_keys k WHERE reply_json IS NULL${rest ? ` AND NOT EXISTS (${rest})` : ''}`,
      )
    }),
  )
  return counts.reduce((sum, keys) => sum + keys, 0)
}

/** Deposits that payments has not read yet: after a kill nobody reads until the lease of the dead one is over. */
const countUnread = async (read: ReadRows, { deposits }: OutsideBooks): Promise<number> => {
  const known = await read<{ txId: string }>('payments', 'SELECT tx_id AS "txId" FROM crypto_deposits')
  const txIds = new Set(known.map(({ txId }) => txId))
  return deposits.filter(({ txId }) => !txIds.has(txId)).length
}

/** Card payments of which payments does not know yet: their notice was lost, and their next poll is due later. */
const countUnnoticed = async (read: ReadRows, { payments }: OutsideBooks): Promise<number> => {
  const pending = await read<{ orderKey: string }>(
    'payments',
    `SELECT order_key::text AS "orderKey" FROM fiat_orders WHERE status = 'pending'`,
  )
  const keys = new Set(pending.map(({ orderKey }) => orderKey))
  return payments.filter(({ orderKey, paidCents }) => paidCents > 0 && keys.has(orderKey)).length
}

/** How much is still under way, by its name; empty when everything is quiet. */
const underWay = async (
  read: ReadRows,
  destinations: readonly Destination[],
  books: OutsideBooks,
): Promise<Record<string, number>> => {
  const unpublished = await Promise.all(
    KEPT_DATABASES.map(
      async (name) => [`${name} outbox`, await count(read, name, 'outbox_unpublished')] as const,
    ),
  )
  const logged = new Set(
    (await read<{ id: string }>('webhooks', `SELECT owner_id || event_id AS id FROM events`)).map(
      ({ id }) => id,
    ),
  )
  const awaited = destinations.flatMap(({ kind, webhookId }) =>
    mayKeepWaiting(kind) ? [] : [`'${webhookId}'`],
  )
  const emitted = await readEmitted(read)
  const unlogged = emitted.flatMap((event) =>
    ownersOf(event).filter((owner) => !logged.has(`${owner}${event.id}`)),
  )
  const counts = Object.fromEntries([
    ...unpublished,
    ['events that webhooks does not have', unlogged.length],
    [
      'deliveries',
      await count(
        read,
        'webhooks',
        `deliveries WHERE state = 'waiting' AND destination_id IN (${awaited.join()})`,
      ),
    ],
    [
      'refunds',
      await count(read, 'refunds', `refunds WHERE state IN ('requested', 'sent', 'unknown', 'succeeded')`),
    ],
    ['onramp orders', await count(read, 'onramp', 'onramp_orders WHERE todo IS NOT NULL')],
    ['orders without a watch', await count(read, 'payments', 'unwatched_orders')],
    ['deposits that payments has not read', await countUnread(read, books)],
    ['card payments that payments has not noticed', await countUnnoticed(read, books)],
    ['deposits', await count(read, 'payments', 'crypto_deposits WHERE counted_at IS NULL')],
    ['keys without a reply', await countUnanswered(read)],
    ['accounts of the books', (await compareBooks(read)).differences.length],
  ]) as Record<string, number>
  return Object.fromEntries(Object.entries(counts).filter(([, left]) => left > 0))
}

/** The clock makes due what is due within minutes: it does not move at first, then a minute each second. */
const PATIENCE_MS = 5_000
const ADVANCE_MS = 60_000
/** After a long soak much is left: what ends the wait is that nothing of it ends. */
const STUCK_MS = 120_000

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, left) => sum + left, 0)

/**
 * Waits until nothing is under way any more.
 * @returns what never ended, by its name
 */
export const waitUntilQuiet = (
  platform: SoakPlatform,
  destinations: readonly Destination[],
  log: (line: string) => void,
): Promise<Record<string, number>> =>
  withDatabases(platform, async (read) => {
    const startMs = performance.now()
    let [least, leastMs] = [Infinity, startMs]
    for (;;) {
      const left = await underWay(read, destinations, readOutsideBooks(platform.dataDir))
      const [sum, nowMs] = [sumOf(left), performance.now()]
      if (sum < least) {
        ;[least, leastMs] = [sum, nowMs]
        log(`under way: ${JSON.stringify(left)}`)
      }
      if (sum === 0 || nowMs - leastMs > STUCK_MS) return left
      if (nowMs - startMs > PATIENCE_MS)
        await platform.sandbox.post('/control/clock', { advance_ms: ADVANCE_MS })
      await delay(1_000)
    }
  })
