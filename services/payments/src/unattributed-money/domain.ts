import {
  CryptoOrderStatus,
  FiatOrderStatus,
  Network,
  UnattributedMoneyEnd,
  UnattributedMoneyKind,
  UnattributedMoneyStatus,
  type UnattributedMoney,
} from '@causeway/contracts'
import { z } from 'zod'

/** A row of unattributed money, with its order's present state. */
export const MoneyRow = z.object({
  id: z.string(),
  kind: UnattributedMoneyKind,
  unit: z.string(),
  amount: z.string(),
  orderId: z.string().nullable(),
  orderKey: z.number().nullable(),
  orderStatus: z.union([CryptoOrderStatus, FiatOrderStatus]).nullable(),
  reference: z.string().nullable(),
  partnerId: z.string().nullable(),
  partnerCustomerId: z.string().nullable(),
  merchantId: z.string().nullable(),
  network: Network.nullable(),
  txId: z.string().nullable(),
  outputIndex: z.number().nullable(),
  address: z.string().nullable(),
  blockNumber: z.number().nullable(),
  /** Of unknown money alone: others have their deposit's. */
  blockHash: z.string().nullable(),
  processor: z.string().nullable(),
  processorOrderId: z.string().nullable(),
  receivedAt: z.date(),
  status: UnattributedMoneyStatus,
  endedBy: UnattributedMoneyEnd.nullable(),
  endedAt: z.date().nullable(),
  reason: z.string().nullable(),
  endedTxId: z.string().nullable(),
})
export type MoneyRow = Readonly<z.infer<typeof MoneyRow>>

/** The record as staff see it. */
export const presentMoney = (row: MoneyRow): UnattributedMoney => ({
  unattributed_money_id: row.id,
  kind: row.kind,
  unit: row.unit,
  amount: row.network === null ? Number(row.amount) : row.amount,
  order_id: row.orderId,
  order_key: row.orderKey === null ? null : String(row.orderKey),
  order_status: row.orderStatus,
  reference: row.reference,
  customer_id: row.merchantId,
  partner_id: row.partnerId,
  partner_customer_id: row.partnerCustomerId,
  network: row.network,
  address: row.address,
  tx_id: row.txId,
  output_index: row.outputIndex,
  block_number: row.blockNumber,
  processor: row.processor,
  processor_order_id: row.processorOrderId,
  received_at: row.receivedAt.toISOString(),
  status: row.status,
  ended_by: row.endedBy,
  ended_at: row.endedAt?.toISOString() ?? null,
  reason: row.reason,
  ended_tx_id: row.endedTxId,
})
