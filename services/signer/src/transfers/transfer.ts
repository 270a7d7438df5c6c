import { Asset, CryptoRefundStatus, Network } from '@causeway/contracts'
import { TREASURY_NUMBER, type Coin, type TransferRequest } from '@causeway/rails/transfers'
import { z } from 'zod'

/** Something that leaves addresses of the signer, as stored. Amounts are decimals. */
export const TransferRecord = z.object({
  id: z.string(),
  purpose: z.enum(['refund', 'sweep', 'payout']),
  network: Network,
  asset: Asset,
  toAddress: z.string(),
  /** Order of a refund; null for a sweep and for unknown money. */
  orderId: z.string().nullable(),
  /** Amount of unattributed money that is refunded; null for other transfers. */
  unattributedMoneyId: z.string().nullable(),
  /** Number of the address that a refund or a payout leaves. */
  keyIndex: z.number().nullable(),
  /** Amount that leaves the address of a refund or a payout, including the network's fee if it is paid in the asset. */
  amount: z.string().nullable(),
  /** JSON of the deposits that it is paid from. */
  coins: z.string(),
  status: CryptoRefundStatus,
  failure: z.string().nullable(),
  /** JSON of the signed transfer: of its newest version, at the end of the one that the chain took. */
  signed: z.string().nullable(),
  /** JSON list of the versions before it, oldest first. */
  earlier: z.string(),
  /** When it was found to wait although no further version can be signed. */
  stuckAt: z.date().nullable(),
  networkFee: z.string().nullable(),
})
export type TransferRecord = Readonly<z.infer<typeof TransferRecord>>

/** A transfer that pays back what one address has received. */
export type RefundRecord = TransferRecord & Readonly<{ keyIndex: number; amount: string }>

export const isRefund = (transfer: TransferRecord): transfer is RefundRecord =>
  transfer.purpose === 'refund' &&
  transfer.keyIndex !== null &&
  transfer.keyIndex !== TREASURY_NUMBER &&
  transfer.amount !== null

/** A transfer that pays a payout from the treasury, and from nowhere else. */
export type PayoutRecord = TransferRecord & Readonly<{ keyIndex: typeof TREASURY_NUMBER; amount: string }>

export const isPayout = (transfer: TransferRecord): transfer is PayoutRecord =>
  transfer.purpose === 'payout' && transfer.keyIndex === TREASURY_NUMBER && transfer.amount !== null

/** Where the network has no unspent outputs, none are named. */
export const coinsOf = ({ coins }: Pick<RefundRecord, 'coins'>): Pick<TransferRequest, 'coins'> => {
  const named = JSON.parse(coins) as Coin[]
  return named.length === 0 ? {} : { coins: named }
}

/** Refusals that a later try may not meet: the fee falls, the gas account is filled, the address is free again. */
export const PASSING: ReadonlySet<string> = new Set(['fee_above_limit', 'gas_account_empty', 'address_busy'])
