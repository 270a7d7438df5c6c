import { statement } from '@causeway/chassis'
import { z } from 'zod'
import { FiatOrderRecord } from '../fiat-orders/domain.ts'
import { FIAT_ORDER_COLUMNS, FIAT_ORDER_FROM } from '../fiat-orders/store.ts'

/** Counts of one address are taken one after the other, so that each threshold is seen to be reached. $1 hash */
export const holdAddress = statement({
  name: 'risk.hold-address',
  text: `SELECT pg_advisory_xact_lock(hashtextextended(encode($1::bytea, 'hex'), 0))::text AS held`,
  row: z.object({ held: z.string() }),
})

/** Disputes of an address by merchant. $1 hash, $2 since */
export const countByMerchant = statement({
  name: 'risk.count-by-merchant',
  text: `
    SELECT merchant_id AS "merchantId", count(*) AS count FROM chargebacks
    WHERE ip_mac = $1 AND created_at > $2 GROUP BY merchant_id`,
  row: z.object({ merchantId: z.string(), count: z.number() }),
})

/** Claims the alert of an address to a merchant, once a window. $1 hash, $2 merchant, $3 now, $4 since */
export const claimAlert = statement({
  name: 'risk.claim-alert',
  text: `
    INSERT INTO risk_alerts AS a (ip_mac, merchant_id, alerted_at) VALUES ($1, $2, $3)
    ON CONFLICT (ip_mac, merchant_id) DO UPDATE SET alerted_at = excluded.alerted_at WHERE a.alerted_at <= $4
    RETURNING merchant_id AS "merchantId"`,
  row: z.object({ merchantId: z.string() }),
})

/** A merchant's order that was disputed last from an address. $1 hash, $2 merchant */
export const lastDisputed = statement({
  name: 'risk.last-disputed',
  text: `
    SELECT ${FIAT_ORDER_COLUMNS} FROM ${FIAT_ORDER_FROM} JOIN chargebacks c ON c.order_id = f.id
    WHERE c.ip_mac = $1 AND c.merchant_id = $2 ORDER BY c.created_at DESC, c.id DESC LIMIT 1`,
  row: FiatOrderRecord,
})
