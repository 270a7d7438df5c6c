import type { DomainEvent } from '@causeway/contracts'

const ID = (prefix: string) => `${prefix}_01k9z5s1x8f3h9q2m7v4b6c0da`
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const AMOUNT = '28.735632'

/** An event of the length that the product appends with a new order. */
const event: DomainEvent = {
  id: ID('evt'),
  name: 'payment.pending',
  created_at: '2026-11-21T12:00:00.000Z',
  partners: [
    {
      partner_id: ID('prt'),
      partner_customer_id: ID('pcu'),
      type: 'payment.pending',
      data: {
        partner_customer_id: ID('pcu'),
        rail: 'crypto',
        order_id: ID('ord'),
        status: 'pending',
        reference: 'a1b2c3d4-000000000001',
        chain: 'ETH',
        asset: 'USDT',
        amount: AMOUNT,
        currency: 'EUR',
        tx_id: null,
        block_number: null,
        received: null,
      },
    },
  ],
  merchant: {
    merchant_id: ID('cus'),
    integration_id: null,
    event: 'pending',
    body: {
      event: 'pending',
      order: {
        id: ID('ord'),
        reference: 'a1b2c3d4-000000000001',
        merchantId: ID('cus'),
        txId: null,
        blockNumber: null,
        chain: 'ETH',
        asset: 'USDT',
        amount: AMOUNT,
        address: ADDRESS,
        depositAddress: ADDRESS,
        paymentUri: `ethereum:${ADDRESS}@1/transfer?address=${ADDRESS}&uint256=28735632`,
        qrUrl: `http://127.0.0.1:8080/qr/${ID('ord')}.png`,
      },
    },
  },
  fact: null,
}

/** The event's text; pgbench would take a colon for the name of a variable, even between quotes. */
const payload = JSON.stringify(event).replaceAll(':', ';')

/**
 * Script of `pgbench` for one order: the same rows in the same tables as the product's, by one CTE. Numbers come
 * from a sequence, so that ids ascend as the product's do; addresses are spread, as the product's are.
 */
export const writeScript = (customers: number): string => `
\\set customer random(1, ${customers})
WITH numbered AS MATERIALIZED (SELECT lpad(nextval('floor_numbers')::text, 26, '0') AS n, now() AS at),
o AS (
  INSERT INTO crypto_orders (
    id, partner_id, partner_customer_id, merchant_id, reference, network, asset, amount, network_fee, total_to_send,
    currency, fiat_amount, rate, rate_at, derivation_index, address, watch_address, payer_sealed, status, created_at,
    expires_at, updated_at)
  SELECT 'ord_' || n, '${ID('prt')}', 'pcu_' || lpad(:customer::text, 26, '0'), '${ID('cus')}', 'a1b2c3d4-' || right(n, 12),
    'ETH', 'USDT', ${AMOUNT}, NULL, ${AMOUNT}, 'EUR', '25.00', 0.87, at, n::bigint,
    '0x' || md5(n) || left(md5(n), 8), '0x' || md5(n) || left(md5(n), 8), repeat(md5(n), 4), 'pending', at,
    at + interval '12 hours', at
  FROM numbered RETURNING id
), unwatched AS (
  INSERT INTO unwatched_orders (order_id, due_at) SELECT 'ord_' || n, at FROM numbered
), emitted AS (
  INSERT INTO outbox_events (event_id, subject, payload, created_at, traceparent)
  SELECT 'evt_' || n, 'payment.pending', '${payload}', at, NULL FROM numbered RETURNING seq
), unpublished AS (
  INSERT INTO outbox_unpublished SELECT seq FROM emitted
)
SELECT id FROM o;
`
