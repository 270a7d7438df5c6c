import type { DatabaseName } from '@causeway/dev-env/infrastructure/postgres-databases'
import { KEPT_DATABASES, type ReadRows } from './databases.ts'
import type { Findings } from './findings.ts'

/** Queries that must return no row once everything is quiet: the check, its database, and the query. */
const NEVER: readonly (readonly [string, DatabaseName, string])[] = [
  [
    'onramp: one purchase at most holds an order',
    'onramp',
    `SELECT order_id AS what FROM onramp_orders WHERE outcome IS NULL OR outcome = 'success'
     GROUP BY order_id HAVING count(*) > 1`,
  ],
  [
    'refund: its order counts it',
    'refunds',
    `SELECT id AS what FROM refunds WHERE state = 'reconciled' AND processor_refund_id IS NULL`,
  ],
  [
    'order: each refund of the processor counted once',
    'payments',
    `SELECT o.id AS what FROM fiat_orders o
     JOIN (SELECT order_id, sum(amount_cents) AS cents FROM fiat_refunds_seen GROUP BY 1) s ON s.order_id = o.id
     WHERE o.status <> 'chargeback' AND o.refunded_cents <> s.cents`,
  ],
  [
    'refund: no open difference to the processor',
    'refunds',
    'SELECT id AS what FROM refund_differences WHERE closed_at IS NULL',
  ],
  [
    'books: the ledger and the sources of its facts agree',
    'ledger',
    `SELECT fact_id || ' ' || kind || ' ' || reason AS what FROM fact_differences WHERE accepted_at IS NULL`,
  ],
  [
    'refund: what is counted in the days of clients was refunded',
    'refunds',
    `SELECT 'days' AS what WHERE (SELECT coalesce(sum(amount_cents), 0) FROM client_refund_days) <>
       (SELECT coalesce(sum(amount_cents), 0) FROM refunds WHERE source = 'api' AND state <> 'failed')`,
  ],
]

/** Checks the invariants of the tables, and that no service parked an event. */
export const checkTables = async (read: ReadRows, findings: Findings): Promise<void> => {
  for (const [check, database, text] of NEVER) {
    const rows = await read<{ what: string }>(database, text)
    findings.expect('wrong', check, rows.length === 0, () => rows.map(({ what }) => what).join(' '))
  }
  for (const database of KEPT_DATABASES) {
    const parked = await read<{ what: string }>(
      database,
      `SELECT consumer || ' ' || event_id || ': ' || error AS what FROM parked_events`,
    )
    findings.expect('lost', 'event: none parked', parked.length === 0, () =>
      parked.map(({ what }) => `${database}: ${what}`).join('; '),
    )
  }
}
