import { queryMany } from '@causeway/chassis'
import { z } from 'zod'

/** The orders of payments of a processor, of all partners: the ledger compares the books with its reports. */
export const findOrders = queryMany({
  name: 'settlement-reports.orders',
  parameters: { processor: 'text', processorOrderIds: 'text[]' },
  text: `
    SELECT processor_order_id, order_key::text FROM fiat_orders
    WHERE processor = :processor AND processor_order_id = ANY (:processorOrderIds)`,
  row: z.object({ processorOrderId: z.string(), orderKey: z.string() }),
})
