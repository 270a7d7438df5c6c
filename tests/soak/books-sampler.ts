import { setTimeout as delay } from 'node:timers/promises'
import { withDatabases } from './checks/databases.ts'
import type { SoakPlatform } from './soak-platform.ts'

const EVERY_MS = 100

/**
 * Units whose debits differ from their credits, and accounts whose balance differs from their entries or transfers, in one
 * snapshot.
 */
const UNBALANCED = `
  SELECT a.name || ' ' || a.unit AS what
  FROM books.accounts a
  LEFT JOIN (SELECT id, sum(amount) AS amount FROM (
      SELECT credit AS id, amount FROM books.transfers UNION ALL SELECT debit, -amount FROM books.transfers) sides
    GROUP BY 1) t USING (id)
  LEFT JOIN (SELECT account_id AS id, sum(amount) AS amount FROM books.entries GROUP BY 1) e USING (id)
  LEFT JOIN books.balances b ON b.account_id = a.id
  WHERE a.owner_id IS NOT NULL AND (b.amount IS DISTINCT FROM t.amount OR e.amount IS DISTINCT FROM t.amount)
  UNION ALL
  SELECT unit FROM (
    SELECT a.unit, t.amount FROM books.transfers t JOIN books.accounts a ON a.id = t.credit
    UNION ALL SELECT a.unit, -t.amount FROM books.transfers t JOIN books.accounts a ON a.id = t.debit) sides
  GROUP BY unit HAVING sum(amount) <> 0`

export type BooksSamples = Readonly<{ taken: number; unbalanced: readonly string[] }>

/**
 * Reads the trial balance of the books every 100 ms, also while processes are killed. While PostgreSQL does not answer there
 * is no sample.
 */
export const startBooksSampler = (platform: SoakPlatform) => {
  const stopping = new AbortController()
  const { signal } = stopping
  const unbalanced = new Set<string>()
  let taken = 0
  const sample = (): Promise<void> =>
    withDatabases(platform, async (read) => {
      while (!signal.aborted) {
        for (const { what } of await read<{ what: string }>('ledger', UNBALANCED)) unbalanced.add(what)
        taken += 1
        await delay(EVERY_MS)
      }
    })
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      // PostgreSQL is restarted by faults: the next connection tells.
      await sample().catch(() => undefined)
      await delay(EVERY_MS)
    }
  }
  const running = run()
  return {
    stop: async (): Promise<BooksSamples> => {
      stopping.abort()
      await running
      return { taken, unbalanced: [...unbalanced] }
    },
  }
}
