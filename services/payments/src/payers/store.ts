import { statement, withDataKey } from '@causeway/chassis'
import { z } from 'zod'
import { subjectIn } from './key-store.ts'

const HeldRow = z.object({
  id: z.string(),
  /** With the key behind it; null and '' where nobody is known, or no more. */
  sealed: z.string().nullable(),
  plain: z.record(z.string(), z.unknown()),
})
export type HeldRow = Readonly<z.infer<typeof HeldRow>>

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const whose = (alias: string) =>
  `'partner_id', ${alias}.partner_id, 'partner_customer_id', ${alias}.partner_customer_id`

/** Crypto orders by their ids, whoever paid them. $1 after, $2 how many */
export const readCryptoOrders = statement({
  name: 'payers.read-crypto-orders',
  text: `
    SELECT o.id, ${withDataKey('o.payer_sealed', subjectIn('o.payer_sealed'))} AS sealed,
      jsonb_build_object(${whose('o')}, 'customer_id', o.merchant_id, 'reference', o.reference,
        'network', o.network, 'asset', o.asset, 'amount', o.amount::text, 'status', o.status,
        'created_at', ${time('o.created_at')}) AS plain
    FROM crypto_orders o WHERE o.id > $1 ORDER BY o.id LIMIT $2`,
  row: HeldRow,
})

/** Card orders by their ids, whoever paid them. $1 after, $2 how many */
export const readCardOrders = statement({
  name: 'payers.read-card-orders',
  text: `
    SELECT f.id, ${withDataKey('f.payer_sealed', subjectIn('f.payer_sealed'))} AS sealed,
      jsonb_build_object(${whose('f')}, 'customer_id', f.merchant_id, 'order_key', f.order_key::text,
        'merchant_reference', f.merchant_reference, 'currency', f.currency, 'total_cents', f.total_cents,
        'status', f.status, 'created_at', ${time('f.created_at')}) AS plain
    FROM fiat_orders f WHERE f.id > $1 ORDER BY f.id LIMIT $2`,
  row: HeldRow,
})

/** Disputes that count for an address. $1 after, $2 how many, $3 hash of the IP; null finds none */
export const readChargebacks = statement({
  name: 'payers.read-chargebacks',
  text: `
    SELECT c.id, NULL AS sealed,
      jsonb_build_object(${whose('c')}, 'customer_id', c.merchant_id, 'order_key', c.order_key::text,
        'created_at', ${time('c.created_at')}) AS plain
    FROM chargebacks c WHERE c.id > $1 AND c.ip_mac = $3 ORDER BY c.id LIMIT $2`,
  row: HeldRow,
})

/** $1 after, $2 how many, $3 kind, $4 keyed hash */
export const readCases = statement({
  name: 'payers.read-cases',
  text: `
    SELECT c.id, NULL AS sealed,
      jsonb_build_object(${whose('c')}, 'kind', c.kind, 'value_masked', c.value_masked, 'status', c.status,
        'order_keys', to_jsonb(c.order_keys::text[]), 'created_at', ${time('c.created_at')},
        'lifted_at', ${time('c.lifted_at')}) AS plain
    FROM chargeback_cases c WHERE c.id > $1 AND c.kind = $3 AND c.value_mac = $4 ORDER BY c.id LIMIT $2`,
  row: HeldRow,
})

const Erased = z.object({ id: z.string() })

/** $1 orders */
export const eraseCryptoOrders = statement({
  name: 'payers.erase-crypto-orders',
  text: `UPDATE crypto_orders SET payer_sealed = '' WHERE id = ANY ($1) AND payer_sealed <> '' RETURNING id`,
  row: Erased,
})

/** $1 orders */
export const eraseCardOrders = statement({
  name: 'payers.erase-card-orders',
  text: `UPDATE fiat_orders SET payer_sealed = '' WHERE id = ANY ($1) AND payer_sealed <> '' RETURNING id`,
  row: Erased,
})

/** Addresses that disputes are counted by. $1 orders, $2 hash of the IP, or null */
export const readAddresses = statement({
  name: 'payers.read-addresses',
  text: `
    SELECT DISTINCT ip_mac AS "ipMac" FROM chargebacks
    WHERE (order_id = ANY ($1) OR ip_mac = $2) AND ip_mac IS NOT NULL`,
  row: z.object({ ipMac: z.instanceof(Buffer) }),
})

/** Orders of a case whose payer was erased by command. $1 partner, $2 case */
export const readErasedOrders = statement({
  name: 'payers.read-erased-orders',
  text: `
    SELECT f.id FROM chargeback_cases c JOIN fiat_orders f
      ON f.partner_customer_id = c.partner_customer_id AND f.order_key = ANY (c.order_keys)
    WHERE c.partner_id = $1 AND c.id = $2 AND f.payer_sealed = ''`,
  row: Erased,
})

/** An address that a case blocks is still counted. $1 orders, $2 hash of the IP, or null */
export const eraseChargebacks = statement({
  name: 'payers.erase-chargebacks',
  text: `
    UPDATE chargebacks c SET ip_mac = NULL
    WHERE (c.order_id = ANY ($1) OR c.ip_mac = $2) AND c.ip_mac IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM chargeback_cases a WHERE a.kind = 'ip' AND a.value_mac = c.ip_mac AND a.status = 'active')
    RETURNING c.id`,
  row: Erased,
})

/** Of addresses that no dispute counts for any more. $1 hashes of IPs */
export const eraseRiskAlerts = statement({
  name: 'payers.erase-risk-alerts',
  text: `
    DELETE FROM risk_alerts r
    WHERE r.ip_mac = ANY ($1) AND NOT EXISTS (SELECT FROM chargebacks c WHERE c.ip_mac = r.ip_mac)
    RETURNING r.merchant_id AS id`,
  row: Erased,
})

const OF_ORDERS = `
  EXISTS (SELECT FROM fiat_orders f
    WHERE f.id = ANY ($1) AND f.partner_customer_id = c.partner_customer_id AND f.order_key = ANY (c.order_keys))`

/**
 * Lifted cases block nobody. Those of the value go, and those of the orders unless a payer that is still known shares
 * them. $1 orders, $2 kind, $3 keyed hash; both null: of the orders alone
 */
export const eraseCases = statement({
  name: 'payers.erase-cases',
  text: `
    UPDATE chargeback_cases c SET value_mac = '', value_masked = ''
    WHERE c.status = 'lifted' AND c.value_mac <> ''
      AND ((c.kind = $2 AND c.value_mac = $3) OR (
        c.partner_customer_id IN (SELECT f.partner_customer_id FROM fiat_orders f WHERE f.id = ANY ($1))
        AND ${OF_ORDERS}
        AND NOT EXISTS (
          SELECT FROM fiat_orders o WHERE o.order_key = ANY (c.order_keys) AND o.payer_sealed <> '')))
    RETURNING c.id`,
  row: Erased,
})

/** Whether a case still blocks the payer. $1 orders, $2 kind, $3 keyed hash */
export const isBlocking = statement({
  name: 'payers.is-blocking',
  text: `
    SELECT EXISTS (
      SELECT FROM chargeback_cases c
      WHERE c.status = 'active' AND ((c.kind = $2 AND c.value_mac = $3) OR (
        c.partner_customer_id IN (SELECT f.partner_customer_id FROM fiat_orders f WHERE f.id = ANY ($1))
        AND ${OF_ORDERS}))) AS blocking`,
  row: z.object({ blocking: z.boolean() }),
})
