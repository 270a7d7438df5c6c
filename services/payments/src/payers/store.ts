import { erasedValues, exportedFields, queryMany, queryOne, withDataKey } from '@causeway/chassis'
import { z } from 'zod'
import { TABLES } from '../columns.ts'
import { subjectIn } from './key-store.ts'

const HeldRow = z.object({
  id: z.string(),
  /** With its key; null or '' when no payer is known, or it was erased. */
  sealed: z.string().nullable(),
  plain: z.record(z.string(), z.unknown()),
})
export type HeldRow = Readonly<z.infer<typeof HeldRow>>

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const ownerOf = (alias: string) =>
  `'partner_id', ${alias}.partner_id, 'partner_customer_id', ${alias}.partner_customer_id`

/** Crypto orders by their ids, of any payer. */
export const listCryptoOrders = queryMany({
  name: 'payers.read-crypto-orders',
  parameters: { afterId: 'text', limit: 'integer' },
  text: `
    SELECT o.id, ${withDataKey('o.payer_sealed', subjectIn('o.payer_sealed'))} AS sealed,
      jsonb_build_object(${ownerOf('o')}, 'customer_id', o.merchant_id, 'reference', o.reference,
        'network', o.network, 'asset', o.asset, 'amount', o.amount::text, 'status', o.status,
        'created_at', ${time('o.created_at')}) AS plain
    FROM crypto_orders o WHERE o.id > :afterId ORDER BY o.id LIMIT :limit`,
  row: HeldRow,
})

/** Card orders by their ids, of any payer. */
export const listCardOrders = queryMany({
  name: 'payers.read-card-orders',
  parameters: { afterId: 'text', limit: 'integer' },
  text: `
    SELECT f.id, ${withDataKey('f.payer_sealed', subjectIn('f.payer_sealed'))} AS sealed,
      jsonb_build_object(${ownerOf('f')}, 'customer_id', f.merchant_id, 'order_key', f.order_key::text,
        'merchant_reference', f.merchant_reference, 'currency', f.currency, 'total_cents', f.total_cents,
        'status', f.status, 'created_at', ${time('f.created_at')}) AS plain
    FROM fiat_orders f WHERE f.id > :afterId ORDER BY f.id LIMIT :limit`,
  row: HeldRow,
})

/** Disputes that count for an IP address, by its keyed hash; null finds none. */
export const listChargebacks = queryMany({
  name: 'payers.read-chargebacks',
  parameters: { afterId: 'text', limit: 'integer', ipMac: 'bytea?' },
  text: `
    SELECT c.id, NULL AS sealed,
      jsonb_build_object(${ownerOf('c')}, 'customer_id', c.merchant_id, 'order_key', c.order_key::text,
        'created_at', ${time('c.created_at')}) AS plain
    FROM chargebacks c WHERE c.id > :afterId AND c.ip_mac = :ipMac ORDER BY c.id LIMIT :limit`,
  row: HeldRow,
})

/** Chargeback cases of a value, by its keyed hash. */
export const listCases = queryMany({
  name: 'payers.read-cases',
  parameters: { afterId: 'text', limit: 'integer', kind: 'text', mac: 'bytea' },
  text: `
    SELECT c.id, NULL AS sealed,
      jsonb_build_object(${ownerOf('c')}, 'kind', c.kind, ${exportedFields(TABLES.chargeback_cases, 'c')}, 'status', c.status,
        'order_keys', to_jsonb(c.order_keys::text[]), 'created_at', ${time('c.created_at')},
        'lifted_at', ${time('c.lifted_at')}) AS plain
    FROM chargeback_cases c
    WHERE c.id > :afterId AND c.kind = :kind AND c.value_mac = :mac ORDER BY c.id LIMIT :limit`,
  row: HeldRow,
})

const Erased = z.object({ id: z.string() })

export const eraseCryptoOrders = queryMany({
  name: 'payers.erase-crypto-orders',
  parameters: { orderIds: 'text[]' },
  text: `
    UPDATE crypto_orders SET ${erasedValues(TABLES.crypto_orders)}
    WHERE id = ANY (:orderIds) AND payer_sealed <> '' RETURNING id`,
  row: Erased,
})

export const eraseCardOrders = queryMany({
  name: 'payers.erase-card-orders',
  parameters: { orderIds: 'text[]' },
  text: `
    UPDATE fiat_orders SET ${erasedValues(TABLES.fiat_orders)}
    WHERE id = ANY (:orderIds) AND payer_sealed <> '' RETURNING id`,
  row: Erased,
})

/** Keyed hashes of the IP addresses of these orders' disputes, and of `ipMac` if a dispute has it. */
export const listDisputedAddresses = queryMany({
  name: 'payers.read-addresses',
  parameters: { orderIds: 'text[]', ipMac: 'bytea?' },
  text: `
    SELECT DISTINCT ip_mac FROM chargebacks
    WHERE (order_id = ANY (:orderIds) OR ip_mac = :ipMac) AND ip_mac IS NOT NULL`,
  row: z.object({ ipMac: z.instanceof(Buffer) }),
})

/** Orders of a case whose payer was erased by command. */
export const listErasedOrders = queryMany({
  name: 'payers.read-erased-orders',
  parameters: { partnerId: 'text', caseId: 'text' },
  text: `
    SELECT f.id FROM chargeback_cases c JOIN fiat_orders f
      ON f.partner_customer_id = c.partner_customer_id AND f.order_key = ANY (c.order_keys)
    WHERE c.partner_id = :partnerId AND c.id = :caseId AND f.payer_sealed = ''`,
  row: Erased,
})

/** Removes the IP address's hash from disputes, unless an active case blocks it: then it still has to be counted. */
export const eraseChargebacks = queryMany({
  name: 'payers.erase-chargebacks',
  parameters: { orderIds: 'text[]', ipMac: 'bytea?' },
  text: `
    UPDATE chargebacks c SET ${erasedValues(TABLES.chargebacks)}
    WHERE (c.order_id = ANY (:orderIds) OR c.ip_mac = :ipMac) AND c.ip_mac IS NOT NULL
      AND NOT EXISTS (
        SELECT FROM chargeback_cases a WHERE a.kind = 'ip' AND a.value_mac = c.ip_mac AND a.status = 'active')
    RETURNING c.id`,
  row: Erased,
})

/** Deletes the alerts of addresses that no dispute counts for any more. */
export const eraseRiskAlerts = queryMany({
  name: 'payers.erase-risk-alerts',
  parameters: { ipMacs: 'bytea[]' },
  text: `
    DELETE FROM risk_alerts r
    WHERE r.ip_mac = ANY (:ipMacs) AND NOT EXISTS (SELECT FROM chargebacks c WHERE c.ip_mac = r.ip_mac)
    RETURNING r.merchant_id AS id`,
  row: Erased,
})

/** SQL: the cases of these orders' customers that list one of them, and those of this value: each by its own index. */
const casesOf = (status: string, ofOrders: string): string => `
  SELECT c.id FROM chargeback_cases c WHERE c.kind = :kind AND c.value_mac = :mac AND c.status = '${status}'
  UNION ALL
  SELECT c.id FROM fiat_orders f JOIN chargeback_cases c ON c.partner_customer_id = f.partner_customer_id
  WHERE f.id = ANY (:orderIds) AND f.order_key = ANY (c.order_keys) AND c.status = '${status}' ${ofOrders}`

/**
 * Erases the value of lifted cases, which block nobody: of this value, and of these orders unless a payer who is still
 * known shares the case. `kind` and `mac` null: of the orders alone.
 */
export const eraseCases = queryMany({
  name: 'payers.erase-cases',
  parameters: { orderIds: 'text[]', kind: 'text?', mac: 'bytea?' },
  text: `
    UPDATE chargeback_cases SET ${erasedValues(TABLES.chargeback_cases)}
    WHERE status = 'lifted' AND value_mac <> '' AND id = ANY (ARRAY(${casesOf(
      'lifted',
      "AND NOT EXISTS (SELECT FROM fiat_orders o WHERE o.order_key = ANY (c.order_keys) AND o.payer_sealed <> '')",
    )}))
    RETURNING id`,
  row: Erased,
})

/** Checks whether an active case still blocks the payer of these orders or of this value. */
export const isPayerBlocked = queryOne({
  name: 'payers.is-blocking',
  parameters: { orderIds: 'text[]', kind: 'text?', mac: 'bytea?' },
  text: `SELECT EXISTS (${casesOf('active', '')}) AS blocked`,
  row: z.object({ blocked: z.boolean() }),
})
