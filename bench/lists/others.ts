import { listApiKeys } from '../../services/access/src/api-keys/store.ts'
import { listBeginnings } from '../../services/access/src/audit/store.ts'
import { listPartners } from '../../services/access/src/partners/store.ts'
import { findLatestPurchase } from '../../services/onramp/src/orders/store.ts'
import { countOpen, listOpen } from '../../services/refunds/src/reconciliation/differences-store.ts'
import { listRefunds } from '../../services/refunds/src/refunds/store.ts'
import { AT, at, id, idOf, type ServiceLists } from './filling.ts'

const EACH = 'FROM generate_series($1::int, $2::int) AS n'
const PARTNER = 'prt_busy'
const LIMIT = 101

export const gatewayLists = (actions: number): ServiceLists => ({
  service: 'gateway',
  rows: [
    {
      count: 1_000,
      insert: `INSERT INTO partners SELECT ${idOf('prt')}, 'x', 'active', '{}', '{}', ${AT}, n ${EACH}`,
    },
    {
      count: actions,
      insert: `INSERT INTO merchant_api_keys (key_mac, merchant_id, created_at)
        SELECT md5(n::text), ${idOf('cus', '1 + n % 10000')}, ${AT} ${EACH}`,
    },
    {
      count: 2 * actions,
      insert: `INSERT INTO audit.records SELECT n, 'req-' || (n + 1) / 2,
        CASE n % 2 WHEN 1 THEN 'began' ELSE 'ended' END, repeat('x', 300), md5(n::text) ${EACH}`,
    },
  ],
  statements: () => [
    {
      name: 'audit log',
      run: (db, random) => listBeginnings(db, { sequence: random(2 * actions), limit: LIMIT }),
    },
    {
      name: 'partners',
      run: (db, random) => listPartners(db, { afterAt: at(random(1_000)), afterId: '', limit: LIMIT }),
    },
    {
      name: "a merchant's keys",
      run: (db, random) => listApiKeys(db, { merchantId: id('cus', random(10_000)) }),
    },
  ],
})

export const refundsLists = (refunds: number): ServiceLists => ({
  service: 'refunds',
  rows: [
    {
      count: refunds,
      insert: `INSERT INTO refunds (id, partner_id, order_key, state, amount_cents, idempotency_key, partner_customer_id,
          order_id, currency, processor, processor_order_id, processor_refund_id, created_at, completed_at, found_at)
        SELECT ${idOf('rfd')}, '${PARTNER}', 1 + n % ${Math.ceil(refunds / 10)}, 'reconciled', 100, 'key-' || n,
          ${idOf('pcu')}, ${idOf('fio')}, 'EUR', 'sandbox', 'pay-' || n, 'ref-' || n, ${AT}, ${AT}, ${AT} ${EACH}`,
    },
    {
      count: Math.ceil(refunds / 50),
      insert: `INSERT INTO refund_differences (id, kind, processor, processor_refund_id, found_at, checked_at)
        SELECT ${idOf('rdf')}, 'missing_here', 'sandbox', 'other-' || n, ${AT}, ${AT} ${EACH}`,
    },
  ],
  statements: () => [
    {
      name: "an order's refunds",
      run: (db, random) =>
        listRefunds(db, {
          partnerId: PARTNER,
          orderKey: random(Math.ceil(refunds / 10)),
          at: new Date('9999-01-01Z'),
          id: '',
          limit: LIMIT,
        }),
    },
    {
      name: 'reconciliation differences',
      run: (db, random) => listOpen(db, { at: at(random(Math.ceil(refunds / 50))), id: '', limit: LIMIT }),
    },
    { name: 'how many differences are open', run: (db) => countOpen(db) },
  ],
})

export const onrampLists = (purchases: number): ServiceLists => ({
  service: 'onramp',
  rows: [
    {
      count: purchases,
      insert: `INSERT INTO onramp_orders (id, partner_id, partner_customer_id, merchant_id, order_id, provider,
          provider_order_id, status, changed_at, outcome, fiat, crypto, crypto_amount, blockchain, address,
          invoice_expires_at, created_at, updated_at, extend_at, cap_at)
        SELECT ${idOf('onr')}, '${PARTNER}', ${idOf('pcu')}, ${idOf('cus')}, ${idOf('ord')}, 'sandbox', 'p-' || n, 'completed',
          ${AT}, 'success', 'EUR', 'USDT', '1', 'ETH', 'x', ${AT}, ${AT}, ${AT}, ${AT}, ${AT} ${EACH}`,
    },
  ],
  statements: () => [
    {
      name: "an order's purchase",
      run: (db, random) =>
        findLatestPurchase(db, { partnerId: PARTNER, orderId: id('ord', random(purchases)) }),
    },
  ],
})
