import { queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Throws for a dispute that is recorded already. */
export const insertChargeback = queryNone({
  name: 'chargebacks.insert',
  parameters: {
    id: 'text',
    partnerId: 'text',
    partnerCustomerId: 'text',
    merchantId: 'text',
    orderId: 'text',
    orderKey: 'bigint',
    processor: 'text',
    disputeId: 'text',
    orderTotalCents: 'bigint',
    orderCurrency: 'text',
    feeCents: 'bigint?',
    feeCurrency: 'text?',
    disputedCents: 'bigint?',
    disputedCurrency: 'text?',
    disputedAt: 'timestamptz?',
    ipMac: 'bytea?',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO chargebacks (id, partner_id, partner_customer_id, merchant_id, order_id, order_key, processor,
      dispute_id, amount_cents, currency, fee_cents, fee_currency, dispute_amount_cents, dispute_currency,
      disputed_at, ip_mac, created_at)
    VALUES (:id, :partnerId, :partnerCustomerId, :merchantId, :orderId, :orderKey, :processor,
      :disputeId, :orderTotalCents, :orderCurrency, :feeCents, :feeCurrency, :disputedCents, :disputedCurrency,
      :disputedAt, :ipMac, :now)`,
})

/** The order that has this dispute already. */
export const findDispute = queryOne({
  name: 'chargebacks.find-dispute',
  parameters: { processor: 'text', disputeId: 'text' },
  text: 'SELECT order_key FROM chargebacks WHERE processor = :processor AND dispute_id = :disputeId',
  row: z.object({ orderKey: z.number() }),
})
