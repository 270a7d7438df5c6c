import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { BooksSamples } from '../books-sampler.ts'
import {
  booksOf,
  type CardOrderRow,
  type CryptoRefundRow,
  type DepositsRow,
  type Sums,
} from './books-model.ts'
import type { ReadRows } from './databases.ts'
import type { Findings } from './findings.ts'

/** A refund that failed later is in the books twice, once reversed. */
const readCardOrders = (read: ReadRows): Promise<readonly CardOrderRow[]> =>
  read(
    'payments',
    `SELECT o.partner_customer_id AS "relationshipId", o.partner_id AS "partnerId", o.processor, o.currency, o.total_cents::float8 AS "totalCents",
       o.service_fee_cents::float8 AS "serviceFeeCents", o.service_fee_payer = 'customer' AS "isFeeReturned",
       o.partner_fee_cents::float8 AS "partnerFeeCents", o.dispute_fee_cents::float8 AS "disputeFeeCents",
       (SELECT coalesce(json_agg(json_build_object('relationshipId', s ->> 'partner_customer_id',
            'amountCents', (s ->> 'amount_cents')::float8) ORDER BY place), '[]')
          FROM jsonb_array_elements(o.splits) WITH ORDINALITY e (s, place)) AS splits,
       (SELECT coalesce(json_agg(json_build_object('amountCents', r.amount_cents,
            'isAfterDispute', r.seen_at > coalesce(d.first_at, 'infinity'), 'hasFailed', r.failed_at IS NOT NULL)
            ORDER BY r.seen_at), '[]')
          FROM fiat_refunds_seen r WHERE r.order_id = o.id
            AND (r.failed_at IS NULL OR r.failed_at > coalesce(d.first_at, 'infinity'))) AS refunds,
       d.disputes
     FROM fiat_orders o CROSS JOIN LATERAL (
       SELECT min(c.created_at) AS first_at, coalesce(json_agg(json_build_object('amountCents', c.dispute_amount_cents,
         'currency', c.dispute_currency, 'feeCents', c.fee_cents, 'feeCurrency', c.fee_currency) ORDER BY c.id), '[]') AS disputes
       FROM chargebacks c WHERE c.order_id = o.id) d
     WHERE o.status IN ('paid', 'completed', 'refunded', 'chargeback')`,
  )

const readDeposits = (read: ReadRows): Promise<readonly DepositsRow[]> =>
  read(
    'payments',
    `SELECT o.partner_customer_id AS "relationshipId", d.network, d.asset, sum(d.open_amount)::text AS open,
       sum(d.applied_amount)::text AS applied, sum(d.excess_amount)::text AS excess, sum(d.late_amount)::text AS late,
       sum(d.foreign_amount)::text AS "foreign",
       json_build_object('asset', o.asset, 'amount', o.amount::text, 'serviceFee', o.service_fee::text,
         'isFeeOnTop', o.service_fee_payer = 'customer', 'convertedTo', CASE o.settlement WHEN 'order_currency' THEN
         json_build_object('currency', o.currency, 'price', o.fiat_amount) END) AS "order"
     FROM crypto_deposits d JOIN crypto_orders o ON o.id = d.order_id WHERE d.open_amount IS NOT NULL
     GROUP BY o.id, d.network, d.asset`,
  )

const readRefunds = (read: ReadRows): Promise<readonly CryptoRefundRow[]> =>
  read(
    'payments',
    `SELECT o.partner_customer_id AS "relationshipId", f.network, f.asset, u.kind,
       coalesce(f.sent_amount, f.amount::text) AS amount, coalesce(f.network_fee, '0') AS "networkFee"
     FROM order_refunds f JOIN crypto_orders o ON o.id = f.order_id
       LEFT JOIN unattributed_money u ON u.id = f.unattributed_money_id
     WHERE f.status = 'confirmed'`,
  )

/** Credits less debits of each account in the books; the accounts of an owner count together. */
export const readBooks = async (read: ReadRows): Promise<Sums> => {
  const rows = await read<{ account: string; sum: string }>(
    'ledger',
    `SELECT coalesce(a.owner_id, a.name) || ' ' || a.unit AS account, sum(t.amount)::text AS sum
     FROM (SELECT credit AS id, amount FROM books.transfers UNION ALL SELECT debit, -amount FROM books.transfers) t
     JOIN books.accounts a USING (id) GROUP BY 1 HAVING sum(t.amount) <> 0`,
  )
  return new Map(rows.map(({ account, sum }) => [account, BigInt(sum)]))
}

/** The books that payments' tables imply. */
export const readModel = async (read: ReadRows): Promise<Sums> =>
  booksOf({
    orders: await readCardOrders(read),
    deposits: await readDeposits(read),
    refunds: await readRefunds(read),
    // No signer runs in a soak.
    transfers: [],
  })

/** Accounts whose sums differ between the books and the model over payments' tables, each with both sums. */
export const compareBooks = async (read: ReadRows): Promise<{ accounts: number; differences: string[] }> => {
  const model = await readModel(read)
  const books = await readBooks(read)
  const accounts = [...new Set([...model.keys(), ...books.keys()])]
  const differences = accounts
    .filter((account) => model.get(account) !== books.get(account))
    .map((account) => `${account}: ${books.get(account) ?? 0n}, not ${model.get(account) ?? 0n}`)
  return { accounts: accounts.length, differences }
}

/** Returns the faults that `ledger:rebuild --compare` finds; empty where it rebuilt identical books. */
const rebuildFaults = (dataDir: string): Promise<string> =>
  promisify(execFile)(process.execPath, ['scripts/ledger-rebuild.ts', '--compare'], {
    env: { ...process.env, DATA_DIR: dataDir },
  }).then(
    () => '',
    (error: unknown) => String((error as { stderr?: unknown }).stderr ?? error),
  )

/** The books balanced in every sample (P1), say what payments' tables imply (P7), and are the same from shuffled and doubled facts (P6). */
export const checkBooks = async (
  read: ReadRows,
  dataDir: string,
  { taken, unbalanced }: BooksSamples,
  findings: Findings,
): Promise<void> => {
  findings.expect('wrong', 'books: sampled', taken > 0, () => 'no sample was taken')
  findings.expect('wrong', 'books: balanced in every sample', unbalanced.length === 0, () =>
    unbalanced.join(' '),
  )
  const { accounts, differences } = await compareBooks(read)
  findings.expect('lost', 'books: something is booked', accounts > 0, () => 'the books are empty')
  findings.expect('wrong', 'books: as the tables of payments imply', differences.length === 0, () =>
    differences.join('; '),
  )
  const faults = await rebuildFaults(dataDir)
  findings.expect('wrong', 'books: identical when they are rebuilt', faults === '', () => faults)
}
