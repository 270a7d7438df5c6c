import type { DomainEvent } from '@causeway/contracts'

const ID = (prefix: string) => `${prefix}_01k9z5s1x8f3h9q2m7v4b6c0da`
const AT = '2026-11-21T12:00:00.000Z'
const PAGE = 'http://127.0.0.1:8090/pay/abcdefghijklmnopqrstuvwxyz012345'

/** An event of the length that the product appends when a checkout is open. */
const event: DomainEvent = {
  id: ID('evt'),
  name: 'payment.pending',
  created_at: AT,
  partners: [
    {
      partner_id: ID('prt'),
      partner_customer_id: ID('pcu'),
      type: 'payment.pending',
      data: {
        partner_customer_id: ID('pcu'),
        rail: 'fiat',
        order_id: ID('fio'),
        order_key: '100001',
        merchant_reference: 'cart-7',
        status: 'pending',
        currency: 'EUR',
        total_cents: 10_000,
      },
    },
  ],
  merchant: {
    merchant_id: ID('cus'),
    integration_id: ID('int'),
    event: 'pending',
    body: {
      event: 'pending',
      order: {
        id: ID('fio'),
        integrationId: ID('int'),
        kind: 'order',
        amountCents: 10_000,
        subtotalCents: 9_750,
        serviceFeePayer: 'merchant',
        serviceFeePercent: 2.5,
        serviceFeeCents: 250,
        currency: 'EUR',
        status: 'pending',
        psp: 'Sandbox',
        pspOrderId: 'sbp_0123456789abcdef01234567',
        pspStatus: 'new',
        orderUrl: PAGE,
        returnUrl: null,
        failureUrl: null,
        webhookUrl: 'http://127.0.0.1:8080/api/callbacks/cards/processor',
        merchantReference: 'cart-7',
        createdAt: AT,
        updatedAt: null,
        completedAt: null,
      },
      processor: {
        event: 'pending',
        project_id: null,
        order_id: 'sbp_0123456789abcdef01234567',
        status: 'new',
        refunded_amount: null,
        refund_of_order_id: null,
        related_payment_link_id: null,
      },
    },
  },
  fact: null,
}

/** Texts of about the product's length; pgbench would take a colon for the name of a variable. */
const payload = JSON.stringify(event).replaceAll(':', ';')
const reply = JSON.stringify(event.merchant?.body['order']).replaceAll(':', ';')

/** Rows that must exist: the integrations that orders refer to. */
export const fiatOrderSetUp = (customers: number): string => `
INSERT INTO integrations (id, partner_id, partner_customer_id, merchant_id, name, processor, seeded, created_at)
SELECT 'int_' || lpad(n::text, 26, '0'), '${ID('prt')}', 'pcu_' || lpad(n::text, 26, '0'), '${ID('cus')}', 'Default',
  'processor', true, now()
FROM generate_series(1, ${customers}) AS n`

/**
 * Script of `pgbench` for one card order: the product's rows in the product's two transactions, for the processor is
 * asked in between: the key and the order; then the open checkout, its event and the stored answer.
 */
export const fiatOrderScript = (customers: number): string => `
\\set customer random(1, ${customers})
WITH numbered AS MATERIALIZED (SELECT lpad(nextval('floor_numbers')::text, 26, '0') AS n, now() AS at),
made AS (
  INSERT INTO fiat_orders (id, partner_id, partner_customer_id, merchant_id, integration_id, kind, status, currency,
    total_cents, amount_cents, service_fee_cents, service_fee_percent, service_fee_payer, merchant_reference, processor,
    payer_sealed, created_at)
  SELECT 'fio_' || n, '${ID('prt')}', 'pcu_' || lpad(:customer::text, 26, '0'), '${ID('cus')}',
    'int_' || lpad(:customer::text, 26, '0'), 'order', 'pending', 'EUR', 10000, 9750, 250, 2.5, 'merchant', 'cart-7',
    'processor', NULL, at
  FROM numbered RETURNING id
), keyed AS (
  INSERT INTO idempotency_keys (partner_id, operation, key, fingerprint, request_id, created_at, lease_until, recorded)
  SELECT '${ID('prt')}', 'payments.fiat-orders.create', 'fio_' || n, repeat(md5(n), 2), 'req_' || n, at,
    at + interval '10 seconds', 'fio_' || n
  FROM numbered
)
SELECT id AS order_id FROM made
\\gset
WITH opened AS (
  UPDATE fiat_orders SET processor_order_id = :order_id, order_url = '${PAGE.replaceAll(':', ';')}',
    processor_status = 'new', poll_at = now() + interval '2 minutes'
  WHERE partner_id = '${ID('prt')}' AND id = :order_id RETURNING id
), emitted AS (
  INSERT INTO outbox_events (event_id, subject, payload, created_at, traceparent)
  SELECT 'evt_' || right(id, 26), 'payment.pending', '${payload}', now(), NULL FROM opened RETURNING seq
), unpublished AS (
  INSERT INTO outbox_unpublished SELECT seq FROM emitted
), stored_reply AS (
  UPDATE idempotency_keys SET reply_json = '${reply}', lease_until = NULL
  WHERE partner_id = '${ID('prt')}' AND operation = 'payments.fiat-orders.create' AND key = :order_id
)
SELECT id FROM opened;
`
