import { queryMany, type Queryable } from '@causeway/chassis'
import {
  Asset,
  Network,
  UnattributedMoneyEnd,
  UnattributedMoneyKind,
  UnattributedMoneyStatus,
} from '@causeway/contracts'
import { z } from 'zod'
import { readSplit, SplitColumns, type Split } from './split.ts'

/**
 * The part of a deposit that its order does not count, unless it left the list automatically (decisions §52). That it was
 * unknown before it had an order is not included.
 */
const MoneyPart = z.object({
  id: z.string(),
  kind: UnattributedMoneyKind,
  unit: z.string(),
  amount: z.string(),
  status: UnattributedMoneyStatus,
  endedBy: UnattributedMoneyEnd.nullable(),
})
export type MoneyPart = Readonly<z.infer<typeof MoneyPart>>

const DepositRow = z.object({
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
  /** The address that holds it where it named no order and staff applied it to this one; null: the order's. */
  heldAt: z.string().nullable(),
  sender: z.string().nullable(),
  /** Service fee of its applied part as the books have it, in its asset. */
  serviceFee: z.string(),
  /** The part of it that was converted as the books have it: in its asset, and in the minor unit of the order's currency. */
  settledAmount: z.string(),
  settledCents: z.number(),
  money: z.array(MoneyPart),
})
/** A deposit as it is kept: where the chain has it now, and since when it counts. */
export type KeptDeposit = Readonly<z.infer<typeof DepositRow>> &
  Readonly<{
    /** Where its parts are; null where it does not count, or was counted by an older version. */
    split: Split | null
  }>

const listRows = queryMany({
  name: 'deposits.list-of-orders',
  parameters: { orderIds: 'text[]' },
  text: `
    SELECT d.network, d.tx_id, d.output_index, d.order_id, d.asset, d.amount, d.confirmations, d.block_number,
      d.block_hash, d.counted_at, d.held_at, d.sender, d.service_fee, d.settled_amount, d.settled_cents, d.open_amount,
      d.applied_amount, d.excess_amount, d.late_amount, d.foreign_amount,
      coalesce((
        SELECT json_agg(json_build_object('id', u.id, 'kind', u.kind, 'unit', u.unit, 'amount', u.amount::text,
          'status', u.status, 'endedBy', u.ended_by) ORDER BY u.id)
        FROM unattributed_money u
        WHERE u.network = d.network AND u.tx_id = d.tx_id AND u.output_index = d.output_index
          AND u.kind <> 'unknown' AND (u.ended_by IS NULL OR u.ended_by NOT IN ('counted', 'reverted'))
      ), '[]') AS money
    FROM crypto_deposits d WHERE d.order_id = ANY (:orderIds)`,
  row: DepositRow.extend(SplitColumns.shape),
})

/** Every deposit that was seen for these orders. */
export const listDepositsOfOrders = async (
  db: Queryable,
  parameters: Readonly<{ orderIds: readonly string[] }>,
): Promise<KeptDeposit[]> =>
  (await listRows(db, parameters)).map(
    ({ openAmount, appliedAmount, excessAmount, lateAmount, foreignAmount, ...deposit }) => ({
      ...deposit,
      split: readSplit(deposit.asset, {
        openAmount,
        appliedAmount,
        excessAmount,
        lateAmount,
        foreignAmount,
      }),
    }),
  )
