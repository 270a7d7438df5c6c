import * as cases from '../../services/payments/src/chargeback-cases/store.ts'
import * as chargebacks from '../../services/payments/src/chargebacks/store.ts'
import * as cryptoOrders from '../../services/payments/src/crypto-orders/store.ts'
import * as fiatOrders from '../../services/payments/src/fiat-orders/store.ts'
import * as integrations from '../../services/payments/src/integrations/store.ts'
import { listLatePayments } from '../../services/payments/src/late-payments/store.ts'
import * as payers from '../../services/payments/src/payers/store.ts'
import { AT, at, id, idOf, type ServiceLists } from './filling.ts'

const EACH = 'FROM generate_series($1::int, $2::int) AS n'
const PARTNER = 'prt_busy'
const LIMIT = 101
const NOWHERE = 'int_00000000000000000000000001'

/** A tenth of all orders are one customer's, the first's. */
const customerOf = (customers: number) => `CASE n % 10 WHEN 0 THEN 1 ELSE 1 + n % ${customers} END`
const ownersOf = (customers: number) =>
  `'${PARTNER}', ${idOf('pcu', customerOf(customers))}, ${idOf('cus', customerOf(customers))}`

const rowsOf = (customers: number, orders: number) => [
  {
    count: customers,
    insert: `INSERT INTO relationships SELECT ${idOf('pcu')}, '${PARTNER}', ${idOf('cus')}, 'active',
      '{"payments.crypto": {"enabled": true, "available": true, "reason": null}, "payments.fiat_card": {"enabled": true, "available": true, "reason": null}}', 1 ${EACH}`,
  },
  {
    count: customers,
    insert: `INSERT INTO integrations (id, partner_id, partner_customer_id, merchant_id, name, processor, seeded, created_at)
      SELECT ${idOf('int')}, '${PARTNER}', ${idOf('pcu')}, ${idOf('cus')}, 'first', 'sandbox', true, ${AT} ${EACH}`,
  },
  {
    count: orders,
    insert: `INSERT INTO crypto_orders (id, partner_id, partner_customer_id, merchant_id, reference, network, asset, amount,
        total_to_send, currency, fiat_amount, rate, rate_at, derivation_index, address, watch_address, payer_sealed,
        status, created_at, expires_at, updated_at)
      SELECT ${idOf('ord')}, ${ownersOf(customers)}, 'ref-' || n, 'ETH', 'USDT', 1, 1, 'EUR', '1.00', 1, ${AT}, n,
        '0x' || md5(n::text), '0x' || md5(n::text), 'x', CASE WHEN n % 50 = 0 THEN 'pending' ELSE 'paid' END, ${AT},
        ${AT} + interval '1 hour', ${AT} ${EACH}`,
  },
  {
    count: orders,
    insert: `INSERT INTO fiat_orders (id, order_key, partner_id, partner_customer_id, merchant_id, integration_id, kind,
        status, currency, total_cents, amount_cents, service_fee_cents, service_fee_percent, service_fee_payer, processor,
        processor_order_id, payer_sealed, created_at, completed_at)
      SELECT ${idOf('fio')}, n, ${ownersOf(customers)}, '${NOWHERE}', 'order', 'completed', 'EUR', 100, 97, 3, 3,
        'merchant', 'sandbox', 'pay-' || n, 'x', ${AT}, ${AT} ${EACH}`,
  },
  {
    count: Math.ceil(orders / 100),
    insert: `INSERT INTO chargebacks (id, partner_id, partner_customer_id, merchant_id, order_id, order_key, processor,
        dispute_id, amount_cents, currency, ip_mac, created_at)
      SELECT ${idOf('chb')}, ${ownersOf(customers)}, ${idOf('fio')}, n, 'sandbox', 'dp-' || n, 100, 'EUR',
        sha256((n % 20000)::text::bytea), ${AT} ${EACH}`,
  },
  {
    count: Math.ceil(orders / 100),
    insert: `INSERT INTO chargeback_cases (id, partner_id, partner_customer_id, kind, value_mac, value_masked, status,
        order_keys, created_at)
      SELECT ${idOf('cbc')}, '${PARTNER}', ${idOf('pcu', customerOf(customers))}, 'ip', sha256(n::text::bytea), 'x',
        'active', ARRAY[n], ${AT} ${EACH}`,
  },
  {
    count: Math.ceil(orders / 100),
    insert: `WITH made AS (
        INSERT INTO crypto_deposits (network, tx_id, output_index, order_id, asset, amount, confirmations, seen_at)
        SELECT 'ETH', 'tx-' || n, 0, ${idOf('ord')}, 'USDT', 1, 12, ${AT} ${EACH})
      INSERT INTO late_payments SELECT ${idOf('lat')}, ${idOf('ord')}, 'ETH', 'tx-' || n, 0, ${AT} ${EACH}`,
  },
]

/** @param orders of each kind, of one partner's `customers` */
export const paymentsLists = (customers: number, orders: number): ServiceLists => {
  const busy = { partnerId: PARTNER, partnerCustomerId: id('pcu', 1) }
  const any = (n: number) => ({ partnerId: PARTNER, partnerCustomerId: id('pcu', n) })
  const before = (n: number) => ({ beforeAt: at(n), beforeId: '', limit: LIMIT })
  const rare = Math.ceil(orders / 100)
  return {
    service: 'payments',
    rows: rowsOf(customers, orders),
    statements: () => [
      {
        name: "a busy customer's crypto orders",
        run: (db, random) => cryptoOrders.listOrders(db, { ...busy, ...before(random(orders)) }),
      },
      {
        name: "a customer's crypto orders",
        run: (db, random) =>
          cryptoOrders.listOrders(db, { ...any(random(customers)), ...before(orders + 1) }),
      },
      {
        name: 'a crypto order by reference',
        run: (db, random) => {
          const n = random(orders)
          const customer = n % 10 === 0 ? 1 : 1 + (n % customers)
          return cryptoOrders.findOrderByReference(db, { ...any(customer), reference: `ref-${n}` })
        },
      },
      {
        name: "a busy customer's card orders",
        run: (db, random) => fiatOrders.listPage(db, { ...busy, ...before(random(orders)) }),
      },
      {
        name: "a customer's card orders",
        run: (db, random) => fiatOrders.listPage(db, { ...any(random(customers)), ...before(orders + 1) }),
      },
      {
        name: 'a card order by key',
        run: (db, random) => fiatOrders.getVisible(db, { partnerId: PARTNER, orderKey: random(orders) }),
      },
      {
        name: "a card order by the processor's id",
        run: (db, random) =>
          fiatOrders.findByProcessorOrder(db, {
            processor: 'sandbox',
            processorOrderId: `pay-${random(orders)}`,
          }),
      },
      { name: "a busy customer's chargebacks", run: (db) => chargebacks.list(db, { ...busy, limit: LIMIT }) },
      {
        name: "an order's chargebacks",
        run: (db, random) =>
          chargebacks.listByOrder(db, { partnerId: PARTNER, orderKey: random(rare), limit: LIMIT }),
      },
      {
        name: "a busy customer's chargeback cases",
        run: (db, random) => cases.listPage(db, { ...busy, ...before(random(rare)) }),
      },
      {
        name: 'integrations',
        run: (db, random) =>
          integrations.listPage(db, { ...any(random(customers)), afterAt: at(0), afterId: '', limit: LIMIT }),
      },
      {
        name: 'late payments',
        run: (db, random) => listLatePayments(db, { afterAt: at(random(rare)), afterId: '', limit: LIMIT }),
      },
      {
        name: 'orders of any payer, by their ids',
        run: (db, random) =>
          payers.listCryptoOrders(db, { afterId: id('ord', random(orders)), limit: LIMIT }),
      },
      {
        name: 'disputes of an address',
        run: (db) => payers.listChargebacks(db, { afterId: '', limit: LIMIT, ipMac: Buffer.alloc(32) }),
      },
    ],
  }
}
