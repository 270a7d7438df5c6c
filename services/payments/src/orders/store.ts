import { queryMany } from '@causeway/chassis'
import { z } from 'zod'

const FoundRow = z.object({
  kind: z.enum(['crypto', 'card']),
  id: z.string(),
  orderKey: z.string().nullable(),
  reference: z.string().nullable(),
  status: z.string(),
  amount: z.string(),
  currency: z.string(),
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  merchantId: z.string(),
  createdAt: z.date(),
})
export type FoundRow = Readonly<z.infer<typeof FoundRow>>

const OF_CRYPTO = `
  SELECT 'crypto' AS kind, o.id, NULL::text AS order_key, o.reference, o.status, o.fiat_amount AS amount, o.currency,
    o.partner_id, o.partner_customer_id, o.merchant_id, o.created_at
  FROM crypto_orders o`
/** An order whose checkout is not open is never shown. */
const OF_CARDS = `
  SELECT 'card' AS kind, f.id, f.order_key::text, f.merchant_reference AS reference, f.status,
    f.total_cents::text AS amount, f.currency, f.partner_id, f.partner_customer_id, f.merchant_id, f.created_at
  FROM fiat_orders f`
const page = { limit: 'integer' } as const

/** Orders of all partners with a reference, newest first: ids are in the order of time. */
export const listByReference = queryMany({
  name: 'orders.search-reference',
  parameters: { ...page, reference: 'text' },
  text: `
    (${OF_CRYPTO} WHERE o.reference = :reference ORDER BY o.id DESC LIMIT :limit)
    UNION ALL
    (${OF_CARDS} WHERE f.merchant_reference = :reference AND f.processor_order_id IS NOT NULL
      ORDER BY f.id DESC LIMIT :limit)
    ORDER BY created_at DESC LIMIT :limit`,
  row: FoundRow,
})

/** The newest orders of a customer of a partner. */
export const listByCustomer = queryMany({
  name: 'orders.search-customer',
  parameters: { ...page, partnerCustomerId: 'text' },
  text: `
    (${OF_CRYPTO} WHERE o.partner_customer_id = :partnerCustomerId
      ORDER BY o.created_at DESC, o.id DESC LIMIT :limit)
    UNION ALL
    (${OF_CARDS} WHERE f.partner_customer_id = :partnerCustomerId AND f.processor_order_id IS NOT NULL
      ORDER BY f.created_at DESC, f.id DESC LIMIT :limit)
    ORDER BY created_at DESC, id DESC LIMIT :limit`,
  row: FoundRow,
})

/** The orders that an address was given to, one on each network at the most. */
export const listByAddress = queryMany({
  name: 'orders.search-address',
  parameters: { ...page, address: 'text' },
  text: `${OF_CRYPTO} WHERE o.watch_address = :address LIMIT :limit`,
  row: FoundRow,
})

/** The orders that a transaction paid to. */
export const listByTransaction = queryMany({
  name: 'orders.search-transaction',
  parameters: { ...page, networks: 'text[]', txId: 'text' },
  text: `
    ${OF_CRYPTO} WHERE o.id IN (
      SELECT d.order_id FROM unnest(:networks) AS n (network) CROSS JOIN LATERAL (
        SELECT d.order_id FROM crypto_deposits d WHERE d.network = n.network AND d.tx_id = :txId AND d.order_id IS NOT NULL
        LIMIT :limit) AS d)
    LIMIT :limit`,
  row: FoundRow,
})

/** The order of a processor's payment. */
export const listByProcessorOrder = queryMany({
  name: 'orders.search-processor-order',
  parameters: { ...page, processors: 'text[]', processorOrderId: 'text' },
  text: `
    ${OF_CARDS} WHERE f.processor = ANY (:processors) AND f.processor_order_id = :processorOrderId LIMIT :limit`,
  row: FoundRow,
})
