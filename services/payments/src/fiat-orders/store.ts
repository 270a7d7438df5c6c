import { statement, withDataKey } from '@causeway/chassis'
import { z } from 'zod'
import { FiatOrderRecord } from './domain.ts'
import { Standing } from '../relationships/eligibility.ts'
import { subjectIn } from '../payers/key-store.ts'

export const FIAT_ORDER_COLUMNS = `
  f.id, f.order_key AS "orderKey", f.partner_id AS "partnerId", f.partner_customer_id AS "partnerCustomerId",
  f.merchant_id AS "merchantId", f.integration_id AS "integrationId", f.kind, f.status, f.currency,
  f.total_cents AS "totalCents", f.amount_cents AS "amountCents", f.service_fee_cents AS "serviceFeeCents",
  f.service_fee_percent AS "serviceFeePercent", f.service_fee_payer AS "serviceFeePayer",
  f.refunded_cents AS "refundedCents", f.chargeback_cents AS "chargebackCents",
  f.merchant_reference AS "merchantReference", f.processor, f.processor_order_id AS "processorOrderId",
  f.processor_status AS "processorStatus", f.order_url AS "orderUrl", coalesce(f.merchant_name, i.name) AS "merchantName",
  i.return_url AS "returnUrl", i.failure_url AS "failureUrl", f.created_at AS "createdAt", f.updated_at AS "updatedAt",
  f.completed_at AS "completedAt"`
export const FIAT_ORDER_FROM = 'fiat_orders f JOIN integrations i ON i.id = f.integration_id'

/** How the relationship stands, and its integration unless that is not its own. $1 partner, $2 relationship, $3 integration */
export const readCheckout = statement({
  name: 'fiat-orders.read-checkout',
  text: `
    SELECT r.merchant_id AS "merchantId", r.status, coalesce(c.enabled, false) AS enabled,
      coalesce(c.available, false) AS available, c.reason, i.id AS "integrationId", i.processor
    FROM relationships r
    LEFT JOIN LATERAL jsonb_to_record(r.capabilities -> 'payments.fiat_card')
      AS c (enabled boolean, available boolean, reason text) ON true
    LEFT JOIN integrations i ON i.partner_customer_id = r.partner_customer_id AND i.partner_id = r.partner_id
      AND i.id = $3 AND i.deleted_at IS NULL
    WHERE r.partner_id = $1 AND r.partner_customer_id = $2`,
  row: Standing.extend({
    merchantId: z.string(),
    integrationId: z.string().nullable(),
    processor: z.string().nullable(),
  }),
})

/**
 * $1 id, $2 partner, $3 relationship, $4 merchant, $5 integration, $6 kind, $7 currency, $8 total, $9 amount, $10 fee,
 * $11 percent, $12 payer of the fee, $13 reference, $14 processor, $15 sealed payer, $16 now, $17 merchant's name
 */
export const insert = statement({
  name: 'fiat-orders.insert',
  text: `
    WITH made AS (
      INSERT INTO fiat_orders (id, partner_id, partner_customer_id, merchant_id, integration_id, kind, status, currency,
        total_cents, amount_cents, service_fee_cents, service_fee_percent, service_fee_payer, merchant_reference,
        processor, payer_sealed, created_at, merchant_name)
      VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
      RETURNING *
    )
    SELECT ${FIAT_ORDER_COLUMNS} FROM made f JOIN integrations i ON i.id = f.integration_id`,
  row: FiatOrderRecord,
})

/** The order that a call under this key recorded before it died. $1 partner, $2 id */
export const readUnopened = statement({
  name: 'fiat-orders.read-unopened',
  text: `SELECT ${FIAT_ORDER_COLUMNS} FROM ${FIAT_ORDER_FROM} WHERE f.partner_id = $1 AND f.id = $2`,
  row: FiatOrderRecord,
})

/** Once: no row where it is done. $1 partner, $2 id, $3 the processor's order, $4 the page, $5 when to ask the processor */
export const open = statement({
  name: 'fiat-orders.open',
  text: `
    WITH opened AS (
      UPDATE fiat_orders SET processor_order_id = $3, order_url = $4, processor_status = 'new', poll_at = $5
      WHERE partner_id = $1 AND id = $2 AND processor_order_id IS NULL RETURNING *
    )
    SELECT ${FIAT_ORDER_COLUMNS} FROM opened f JOIN integrations i ON i.id = f.integration_id`,
  row: FiatOrderRecord,
})

/** An order whose checkout the processor refused to open. $1 partner, $2 id */
export const discard = statement({
  name: 'fiat-orders.discard',
  text: 'DELETE FROM fiat_orders WHERE partner_id = $1 AND id = $2 AND processor_order_id IS NULL',
})

/** $1 partner, $2 order key */
export const findVisible = statement({
  name: 'fiat-orders.find-visible',
  text: `
    SELECT ${FIAT_ORDER_COLUMNS} FROM ${FIAT_ORDER_FROM} JOIN relationships r
      ON r.partner_customer_id = f.partner_customer_id AND r.partner_id = f.partner_id
    WHERE f.partner_id = $1 AND f.order_key = $2 AND r.status = 'active'`,
  row: FiatOrderRecord,
})

/** Newest first. $1 partner, $2 relationship, $3 and $4 where the page before ended, $5 limit */
export const page = statement({
  name: 'fiat-orders.page',
  text: `
    SELECT ${FIAT_ORDER_COLUMNS} FROM ${FIAT_ORDER_FROM}
    WHERE f.partner_id = $1 AND f.partner_customer_id = $2 AND f.processor_order_id IS NOT NULL
      AND (f.created_at, f.id) < ($3, $4)
    ORDER BY f.created_at DESC, f.id DESC LIMIT $5`,
  row: FiatOrderRecord,
})

/** How the relationship stands, for those that see its orders. $1 partner, $2 relationship */
export const readRelationship = statement({
  name: 'fiat-orders.read-relationship',
  text: 'SELECT r.status FROM relationships r WHERE r.partner_id = $1 AND r.partner_customer_id = $2',
  row: z.object({ status: z.enum(['active', 'revoked']) }),
})

/** $1 processor, $2 its order */
export const findByProcessorOrder = statement({
  name: 'fiat-orders.find-by-processor',
  text: `
    SELECT ${FIAT_ORDER_COLUMNS}, ${withDataKey('f.payer_sealed', subjectIn('f.payer_sealed'))} AS "payerSealed" FROM ${FIAT_ORDER_FROM}
    WHERE f.processor = $1 AND f.processor_order_id = $2`,
  row: FiatOrderRecord.extend({ payerSealed: z.string().nullable() }),
})
