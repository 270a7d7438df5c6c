import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DomainEvent } from '@causeway/contracts'

const MIGRATIONS = join(import.meta.dirname, '../../services/refunds/migrations')
const ID = (prefix: string) => `${prefix}_01k9z5s1x8f3h9q2m7v4b6c0da`
/** Orders of one connection, so that two never refund one order simultaneously. */
const ORDERS_EACH = 8

/** An event of the length that the product appends with a refund. */
const event: DomainEvent = {
  id: ID('evt'),
  name: 'refund.completed',
  created_at: '2026-11-21T12:00:00.000Z',
  partners: [
    {
      partner_id: ID('prt'),
      partner_customer_id: ID('pcu'),
      type: 'refund.completed',
      data: {
        partner_customer_id: ID('pcu'),
        refund_id: ID('rfd'),
        order_id: ID('fio'),
        order_key: '100001',
        status: 'succeeded',
      },
    },
  ],
  merchant: null,
  fact: null,
}
const reply = {
  order_key: '100001',
  currency: 'EUR',
  refund: { amount_cents: 1, status: 'partially_refunded' },
  service_fee_payer: 'merchant',
  max_refundable_cents: 9_750,
  refunded_cents: 1,
  remaining_refundable_cents: 9_749,
}
/** pgbench would take a colon for the name of a variable. */
const textOf = (value: unknown): string => JSON.stringify(value).replaceAll(':', ';')

const migrations = (): string =>
  readdirSync(MIGRATIONS)
    .sort((a, b) => Number.parseInt(a) - Number.parseInt(b))
    .map((name) => readFileSync(join(MIGRATIONS, name), 'utf8'))
    .join('\n')

/** Creates the tables of refunds next to those of payments, and paid orders. */
export const refundSetUp = (connections: number): string => `
${migrations()}
INSERT INTO integrations (id, partner_id, partner_customer_id, merchant_id, name, processor, seeded, created_at)
VALUES ('${ID('int')}', '${ID('prt')}', '${ID('pcu')}', '${ID('cus')}', 'Default', 'processor', true, now());
INSERT INTO fiat_orders (id, order_key, partner_id, partner_customer_id, merchant_id, integration_id, kind, status,
  currency, total_cents, amount_cents, service_fee_cents, service_fee_percent, service_fee_payer, processor,
  processor_order_id, created_at)
SELECT 'fio_' || n, n, '${ID('prt')}', '${ID('pcu')}', '${ID('cus')}', '${ID('int')}', 'order', 'paid', 'EUR', 10000,
  9750, 250, 2.5, 'merchant', 'processor', 'sbp_' || n, now()
FROM generate_series(0, ${connections * ORDERS_EACH}) AS n`

/**
 * Script of `pgbench` for one refund: the product's rows in the product's five transactions, for the processor is
 * asked between them, and the order is counted by another service.
 */
export const refundScript = (): string => `
\\set order_key :client_id * ${ORDERS_EACH} + random(0, ${ORDERS_EACH - 1})
WITH numbered AS MATERIALIZED (SELECT lpad(nextval('floor_numbers')::text, 26, '0') AS n, now() AS at),
keyed AS (
  INSERT INTO idempotency_keys (partner_id, operation, key, fingerprint, request_id, created_at, lease_until, recorded)
  SELECT '${ID('prt')}', 'refunds.refunds.create', 'rfd_' || n, repeat(md5(n), 2), 'req_' || n, at,
    at + interval '15 seconds', 'rfd_' || n
  FROM numbered
), made AS (
  INSERT INTO refunds (id, partner_id, order_key, state, amount_cents, idempotency_key, created_at, due_at)
  SELECT 'rfd_' || n, '${ID('prt')}', :order_key, 'requested', 1, 'rfd_' || n, at, at + interval '15 seconds'
  FROM numbered RETURNING id
)
SELECT id AS refund_id FROM made
\\gset
UPDATE refunds SET state = 'sent', partner_customer_id = '${ID('pcu')}', order_id = '${ID('fio')}', currency = 'EUR',
  processor = 'processor', processor_order_id = 'sbp_' || :order_key, service_fee_payer = 'merchant',
  max_refundable_cents = 9750, refunded_before_cents = 0, due_at = now() + interval '15 seconds'
WHERE partner_id = '${ID('prt')}' AND id = :refund_id;
UPDATE refunds SET state = 'succeeded', processor_refund_id = 'sbr_' || :refund_id, completed_at = now()
WHERE partner_id = '${ID('prt')}' AND id = :refund_id;
WITH seen AS (
  INSERT INTO fiat_refunds_seen (processor, processor_refund_id, order_id, amount_cents, seen_at)
  VALUES ('processor', 'sbr_' || :refund_id, 'fio_' || :order_key, 1, now())
), emitted AS (
  INSERT INTO outbox_events (event_id, subject, payload, created_at, traceparent)
  VALUES ('evt_p_' || :refund_id, 'payment.refunded', '${textOf(event)}', now(), NULL)
  RETURNING seq
), unpublished AS (
  INSERT INTO outbox_unpublished SELECT seq FROM emitted
)
UPDATE fiat_orders SET refunded_cents = refunded_cents + 1, updated_at = now()
WHERE partner_id = '${ID('prt')}' AND id = 'fio_' || :order_key;
WITH emitted AS (
  INSERT INTO outbox_events (event_id, subject, payload, created_at, traceparent)
  VALUES ('evt_r_' || :refund_id, 'refund.completed', '${textOf(event)}', now(), NULL)
  RETURNING seq
), unpublished AS (
  INSERT INTO outbox_unpublished SELECT seq FROM emitted
), stored_reply AS (
  UPDATE idempotency_keys SET reply_json = '${textOf(reply)}', lease_until = NULL
  WHERE partner_id = '${ID('prt')}' AND operation = 'refunds.refunds.create' AND key = :refund_id
)
UPDATE refunds SET state = 'reconciled', due_at = NULL WHERE partner_id = '${ID('prt')}' AND id = :refund_id;
`
