import { queryMany } from '@causeway/chassis'
import { Asset, Network } from '@causeway/contracts'
import { z } from 'zod'

/** A deposit as it is kept: where the chain has it now, and since when it counts. */
export const KeptDeposit = z.object({
  network: Network,
  txId: z.string(),
  outputIndex: z.number(),
  orderId: z.string(),
  asset: Asset,
  amount: z.string(),
  confirmations: z.number(),
  blockNumber: z.number().nullable(),
  blockHash: z.string().nullable(),
  countedAt: z.date().nullable(),
  /** Whether it is recorded as a late payment. */
  isLate: z.boolean(),
})
export type KeptDeposit = Readonly<z.infer<typeof KeptDeposit>>

/** Every deposit that was seen for these orders. */
export const listDepositsOfOrders = queryMany({
  name: 'deposits.list-of-orders',
  parameters: { orderIds: 'text[]' },
  text: `
    SELECT d.network, d.tx_id, d.output_index, d.order_id, d.asset, d.amount, d.confirmations, d.block_number,
      d.block_hash, d.counted_at, l.id IS NOT NULL AS is_late
    FROM crypto_deposits d LEFT JOIN late_payments l
      ON (l.network, l.tx_id, l.output_index) = (d.network, d.tx_id, d.output_index) AND l.reverted_at IS NULL
    WHERE d.order_id = ANY (:orderIds)`,
  row: KeptDeposit,
})
