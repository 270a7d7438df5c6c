import { queryMany } from '@causeway/chassis'
import { Asset, MOST_FOLLOWED_DEPOSITS, Network } from '@causeway/contracts'
import { z } from 'zod'
import { SENT_BY_HAND } from '../chain-holdings/store.ts'

/** A deposit of an order of a merchant, with what its path needs. */
export const FollowedDeposit = z.object({
  network: Network,
  txId: z.string(),
  outputIndex: z.number(),
  asset: Asset,
  amount: z.string(),
  address: z.string(),
  /** True if another address than the order's holds it: staff applied it to the order. */
  heldElsewhere: z.boolean(),
  keyIndex: z.number(),
  seenAt: z.date(),
  countedAt: z.date().nullable(),
  reverted: z.boolean(),
  blockNumber: z.number().nullable(),
  blockHash: z.string().nullable(),
  /** Confirmations when it was last judged. */
  confirmations: z.number(),
  /** The last block that was read of its network; null where blocks are not read. */
  headNumber: z.number().nullable(),
  /** Unattributed money that is the whole deposit. */
  wholeMoneyIds: z.array(z.string()),
  /** True if staff have recorded that they moved something of the order without the signer. */
  sentByHand: z.boolean(),
})
export type FollowedDeposit = Readonly<z.infer<typeof FollowedDeposit>>

/** The deposits of an order of the merchant, in the order in which they were seen. */
export const listOfMerchant = queryMany({
  name: 'order-deposits.list',
  parameters: { merchantId: 'text', orderId: 'text' },
  text: `
    SELECT d.network, d.tx_id, d.output_index, d.asset, d.amount::text, coalesce(d.held_at, o.address) AS address,
      d.held_at IS NOT NULL AS held_elsewhere, o.derivation_index AS key_index, d.seen_at, d.counted_at, d.block_number,
      d.block_hash, d.confirmations, p.number AS head_number, ${SENT_BY_HAND} AS sent_by_hand,
      d.block_number IS NULL AND EXISTS (SELECT FROM deposit_reversals r
        WHERE r.order_id = o.id AND r.network = d.network AND r.tx_id = d.tx_id AND r.output_index = d.output_index)
        AS reverted,
      ARRAY(SELECT u.id FROM unattributed_money u
        WHERE u.network = d.network AND u.tx_id = d.tx_id AND u.output_index = d.output_index AND u.amount = d.amount)
        AS whole_money_ids
    FROM crypto_orders o
    JOIN crypto_deposits d ON d.order_id = o.id
    LEFT JOIN chain_positions p ON p.network = d.network
    WHERE o.id = :orderId AND o.merchant_id = :merchantId
    ORDER BY d.seen_at, d.tx_id, d.output_index LIMIT ${MOST_FOLLOWED_DEPOSITS}`,
  row: FollowedDeposit,
})
