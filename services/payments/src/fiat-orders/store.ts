import {
  appendedToOutbox,
  CLAIMED_KEY,
  EVENT_PARAMETERS,
  EVENT_ROW,
  KEY_CLAIM_PARAMETERS,
  KEY_REPLY_PARAMETERS,
  queryMany,
  queryNone,
  queryOne,
  storedReply,
  withDataKey,
} from '@causeway/chassis'
import { z } from 'zod'
import { subjectIn } from '../payers/key-store.ts'
import { CARD_KEY } from '../order-numbers/store.ts'
import { APPLIED_VERSION, APPLIED_VERSION_COLUMNS, APPLIED_VERSION_ROW } from '../price-plans/store.ts'
import { Eligibility } from '../relationships/eligibility.ts'
import { FiatOrderRecord } from './domain.ts'

export const FIAT_ORDER_COLUMNS = `
  f.id, f.order_key, f.partner_id, f.partner_customer_id, f.merchant_id, f.integration_id, f.kind, f.status, f.currency,
  f.total_cents, f.amount_cents, f.service_fee_cents, f.service_fee_percent, f.service_fee_payer, f.partner_fee_cents,
  f.splits, f.refunded_cents, f.chargeback_cents, f.reversed_cents, f.dispute_fee_cents, f.merchant_reference, f.processor, f.processor_order_id, f.processor_status, f.order_url,
  coalesce(f.merchant_name, i.name) AS merchant_name, i.return_url, i.failure_url, f.created_at, f.updated_at,
  f.completed_at`
export const FIAT_ORDER_FROM = 'fiat_orders f JOIN integrations i ON i.id = f.integration_id'

/**
 * The status of the relationship and of its card capability, the integration unless that is not its own, and the version
 * of the price plan that applies now.
 */
export const getCheckout = queryOne({
  name: 'fiat-orders.read-checkout',
  parameters: { partnerId: 'text', partnerCustomerId: 'text', integrationId: 'text', now: 'timestamptz' },
  text: `
    SELECT r.merchant_id, r.status, coalesce(c.enabled, false) AS enabled, coalesce(c.available, false) AS available,
      c.reason, i.id AS integration_id, i.processor, ${APPLIED_VERSION_COLUMNS}
    FROM relationships r
    LEFT JOIN LATERAL jsonb_to_record(r.capabilities -> 'payments.fiat_card')
      AS c (enabled boolean, available boolean, reason text) ON true
    LEFT JOIN integrations i ON i.partner_customer_id = r.partner_customer_id AND i.partner_id = r.partner_id
      AND i.id = :integrationId AND i.deleted_at IS NULL
    ${APPLIED_VERSION}
    WHERE r.partner_id = :partnerId AND r.partner_customer_id = :partnerCustomerId`,
  row: Eligibility.extend({
    merchantId: z.string(),
    integrationId: z.string().nullable(),
    processor: z.string().nullable(),
    ...APPLIED_VERSION_ROW,
  }),
})

/**
 * Claims the idempotency key and inserts a pending order whose checkout is not open yet, in one statement: `recorded`
 * is its id. Null where another call has the key.
 * @throws an error that {@link isCardKeyMissing} knows, with nothing done, where no order key is granted
 */
export const insertUnderKey = queryOne({
  name: 'fiat-orders.insert-under-key',
  parameters: {
    ...KEY_CLAIM_PARAMETERS,
    partnerCustomerId: 'text',
    merchantId: 'text',
    integrationId: 'text',
    kind: 'text',
    currency: 'text',
    totalCents: 'bigint',
    amountCents: 'bigint',
    serviceFeeCents: 'bigint',
    serviceFeePercent: 'numeric',
    serviceFeePayer: 'text',
    partnerFeeCents: 'bigint',
    splits: 'jsonb',
    merchantReference: 'text?',
    processor: 'text',
    payerSealed: 'text?',
    merchantName: 'text?',
    priceVersionId: 'text?',
    disputeFeeCents: 'bigint?',
  },
  text: `
    WITH ${CLAIMED_KEY}, inserted AS (
      INSERT INTO fiat_orders (id, order_key, partner_id, partner_customer_id, merchant_id, integration_id, kind,
        status, currency, total_cents, amount_cents, service_fee_cents, service_fee_percent, service_fee_payer,
        partner_fee_cents, splits, merchant_reference, processor, payer_sealed, created_at, merchant_name,
        price_plan_version_id, dispute_fee_cents)
      SELECT :recorded, ${CARD_KEY}, :partnerId, :partnerCustomerId, :merchantId, :integrationId, :kind, 'pending',
        :currency, :totalCents, :amountCents, :serviceFeeCents, :serviceFeePercent, :serviceFeePayer,
        :partnerFeeCents, :splits, :merchantReference, :processor, :payerSealed, :now, :merchantName,
        :priceVersionId, :disputeFeeCents
      FROM claimed RETURNING *
    )
    SELECT ${FIAT_ORDER_COLUMNS} FROM inserted f JOIN integrations i ON i.id = f.integration_id`,
  row: FiatOrderRecord,
})

/** An order that a call with an idempotency key recorded, whether its checkout is open or not. */
export const getRecorded = queryOne({
  name: 'fiat-orders.read-unopened',
  parameters: { partnerId: 'text', orderId: 'text' },
  text: `SELECT ${FIAT_ORDER_COLUMNS} FROM ${FIAT_ORDER_FROM} WHERE f.partner_id = :partnerId AND f.id = :orderId`,
  row: FiatOrderRecord,
})

/**
 * Stores the opened checkout with its event and the reply of its call, once: null, and nothing is written, for an order
 * that has a checkout already. `pollAt` is when the payment is first read, if no notice arrives. `db.emitted()` has to
 * be called when it has run.
 */
export const bindCheckout = queryOne({
  name: 'fiat-orders.bind',
  parameters: {
    ...KEY_REPLY_PARAMETERS,
    ...EVENT_PARAMETERS,
    orderId: 'text',
    processorOrderId: 'text',
    orderUrl: 'text',
    processorStatus: 'text',
    pollAt: 'timestamptz',
  },
  text: `
    WITH bound AS (
      UPDATE fiat_orders
      SET processor_order_id = :processorOrderId, order_url = :orderUrl, processor_status = :processorStatus,
        poll_at = :pollAt
      WHERE partner_id = :partnerId AND id = :orderId AND processor_order_id IS NULL RETURNING id
    ), ${appendedToOutbox(`bound CROSS JOIN ${EVENT_ROW}`)}, ${storedReply('bound')}
    SELECT id FROM bound`,
  row: z.object({ id: z.string() }),
})

/** Deletes an order whose checkout the processor refused to open. */
export const deleteUnopened = queryNone({
  name: 'fiat-orders.discard',
  parameters: { partnerId: 'text', orderId: 'text' },
  text: `
    DELETE FROM fiat_orders WHERE partner_id = :partnerId AND id = :orderId AND processor_order_id IS NULL`,
})

export const getVisible = queryOne({
  name: 'fiat-orders.find-visible',
  parameters: { partnerId: 'text', orderKey: 'bigint' },
  text: `
    SELECT ${FIAT_ORDER_COLUMNS} FROM ${FIAT_ORDER_FROM} JOIN relationships r
      ON r.partner_customer_id = f.partner_customer_id AND r.partner_id = f.partner_id
    WHERE f.partner_id = :partnerId AND f.order_key = :orderKey AND r.status = 'active'`,
  row: FiatOrderRecord,
})

/** For staff: an order whatever its partner. */
export const findByKey = queryOne({
  name: 'fiat-orders.find-by-key',
  parameters: { orderKey: 'bigint' },
  text: `SELECT ${FIAT_ORDER_COLUMNS} FROM ${FIAT_ORDER_FROM} WHERE f.order_key = :orderKey`,
  row: FiatOrderRecord,
})

/** For its buyer: an order whatever its partner. */
export const findById = queryOne({
  name: 'fiat-orders.find-by-id',
  parameters: { orderId: 'text' },
  text: `SELECT ${FIAT_ORDER_COLUMNS} FROM ${FIAT_ORDER_FROM} WHERE f.id = :orderId`,
  row: FiatOrderRecord,
})

/** A page of opened orders, newest first, of those before `(createdAt, id)`. */
export const listPage = queryMany({
  name: 'fiat-orders.page',
  parameters: {
    partnerId: 'text',
    partnerCustomerId: 'text',
    beforeAt: 'timestamptz',
    beforeId: 'text',
    limit: 'bigint',
  },
  text: `
    SELECT ${FIAT_ORDER_COLUMNS} FROM ${FIAT_ORDER_FROM}
    WHERE f.partner_id = :partnerId AND f.partner_customer_id = :partnerCustomerId AND f.processor_order_id IS NOT NULL
      AND (f.created_at, f.id) < (:beforeAt, :beforeId)
    ORDER BY f.created_at DESC, f.id DESC LIMIT :limit`,
  row: FiatOrderRecord,
})

/** Those of these orders that their partner may see now, newest first: ids are in the order of time. */
export const listVisible = queryMany({
  name: 'fiat-orders.list-visible',
  parameters: { partnerId: 'text', orderIds: 'text[]' },
  text: `
    SELECT ${FIAT_ORDER_COLUMNS} FROM ${FIAT_ORDER_FROM} JOIN relationships r
      ON r.partner_customer_id = f.partner_customer_id AND r.partner_id = f.partner_id
    WHERE f.partner_id = :partnerId AND f.id = ANY (:orderIds) AND r.status = 'active'
    ORDER BY f.id DESC`,
  row: FiatOrderRecord,
})

/** The order of a processor's payment, whatever its partner. */
export const findByProcessorOrder = queryOne({
  name: 'fiat-orders.find-by-processor',
  parameters: { processor: 'text', processorOrderId: 'text' },
  text: `
    SELECT ${FIAT_ORDER_COLUMNS}, ${withDataKey('f.payer_sealed', subjectIn('f.payer_sealed'))} AS payer_sealed
    FROM ${FIAT_ORDER_FROM} WHERE f.processor = :processor AND f.processor_order_id = :processorOrderId`,
  row: FiatOrderRecord.extend({ payerSealed: z.string().nullable() }),
})
