import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { FiatOrderRecord } from '../fiat-orders/domain.ts'
import { FIAT_ORDER_COLUMNS, FIAT_ORDER_FROM } from '../fiat-orders/store.ts'

/** Serialises the transactions that count disputes of one IP, so that one of them sees each threshold reached. */
export const lockIp = queryNone({
  name: 'risk.hold-address',
  parameters: { ipMac: 'bytea' },
  text: `SELECT pg_advisory_xact_lock(hashtextextended(encode(:ipMac, 'hex'), 0))::text`,
})

/** Disputes of an IP by merchant. */
export const countByMerchant = queryMany({
  name: 'risk.count-by-merchant',
  parameters: { ipMac: 'bytea', since: 'timestamptz' },
  text: `
    SELECT merchant_id, count(*) AS count FROM chargebacks
    WHERE ip_mac = :ipMac AND created_at > :since GROUP BY merchant_id`,
  row: z.object({ merchantId: z.string(), count: z.number() }),
})

/** Claims the alert of an IP to a merchant; no row where one was raised after `since`. */
export const claimAlert = queryOne({
  name: 'risk.claim-alert',
  parameters: { ipMac: 'bytea', merchantId: 'text', now: 'timestamptz', since: 'timestamptz' },
  text: `
    INSERT INTO risk_alerts AS a (ip_mac, merchant_id, alerted_at) VALUES (:ipMac, :merchantId, :now)
    ON CONFLICT (ip_mac, merchant_id) DO UPDATE SET alerted_at = excluded.alerted_at WHERE a.alerted_at <= :since
    RETURNING merchant_id`,
  row: z.object({ merchantId: z.string() }),
})

/** A merchant's order with the latest dispute of an IP. */
export const getLastDisputed = queryOne({
  name: 'risk.last-disputed',
  parameters: { ipMac: 'bytea', merchantId: 'text' },
  text: `
    SELECT ${FIAT_ORDER_COLUMNS} FROM ${FIAT_ORDER_FROM} JOIN chargebacks c ON c.order_id = f.id
    WHERE c.ip_mac = :ipMac AND c.merchant_id = :merchantId ORDER BY c.created_at DESC, c.id DESC LIMIT 1`,
  row: FiatOrderRecord,
})
