import {
  Asset,
  CryptoRefundStatus,
  Network,
  type CryptoRefund,
  type RefundRequest,
} from '@causeway/contracts'
import { ASSET_DECIMALS, canonicalTransactionId, parseDecimal, toUnits } from '@causeway/rails/networks'
import { z } from 'zod'

/** A deposit that a refund is paid from. */
export const RefundCoin = z.object({ txId: z.string(), outputIndex: z.number() })
export type RefundCoin = Readonly<z.infer<typeof RefundCoin>>

/** A refund as stored: one that the signer sends, or one that staff have sent. */
export const SignedRefund = z.object({
  id: z.string(),
  /** Null: unknown money. */
  orderId: z.string().nullable(),
  /** Null: what the order has received. */
  unattributedMoneyId: z.string().nullable(),
  network: Network,
  asset: Asset,
  /** Null: the signer has no key for the address. */
  keyIndex: z.number().nullable(),
  fromAddress: z.string(),
  toAddress: z.string(),
  /** Amount that leaves the address, a decimal in the asset. */
  amount: z.string(),
  /** JSON of the deposits that it is paid from; null in those of older versions: all that count. */
  coins: z.string().nullable(),
  sentByHand: z.boolean(),
  /** Amount that arrives; null until it is signed. */
  sentAmount: z.string().nullable(),
  networkFee: z.string().nullable(),
  txId: z.string().nullable(),
  /** The block of the transaction of a refund that staff sent; null: not checked. */
  txBlock: z.number().nullable(),
  status: CryptoRefundStatus,
  failure: z.string().nullable(),
  createdAt: z.coerce.date(),
})
export type SignedRefund = Readonly<z.infer<typeof SignedRefund>>

/** The refund as staff see it (decisions §20). */
export const presentRefund = (refund: SignedRefund): CryptoRefund => ({
  refund_id: refund.id,
  order_id: refund.orderId,
  unattributed_money_id: refund.unattributedMoneyId,
  network: refund.network,
  asset: refund.asset,
  from_address: refund.fromAddress,
  to_address: refund.toAddress,
  amount: refund.sentAmount ?? refund.amount,
  network_fee: refund.networkFee,
  tx_id: refund.txId,
  status: refund.status,
  failure: refund.failure,
})

/** A checked transaction is recorded as its network writes it. */
const isSameTransaction = ({ network, txId }: SignedRefund, given: string): boolean =>
  given === txId || (txId !== null && canonicalTransactionId(network, given) === txId)

const isSameAmount = ({ asset, amount, sentAmount }: SignedRefund, given: string): boolean => {
  const [known, other] = [parseDecimal(sentAmount ?? amount), parseDecimal(given)]
  const decimals = Math.max(known.scale, other.scale, ASSET_DECIMALS[asset])
  return toUnits(sentAmount ?? amount, decimals) === toUnits(given, decimals)
}

/** Checks whether a request repeats an accepted one: any difference makes it another refund. */
export const isSameRefund = (refund: SignedRefund, request: RefundRequest, byHand: boolean): boolean =>
  refund.toAddress === request.to_address &&
  refund.sentByHand === byHand &&
  (request.tx_id === undefined || isSameTransaction(refund, request.tx_id)) &&
  (request.sent_amount === undefined || isSameAmount(refund, request.sent_amount)) &&
  (request.expected === undefined ||
    (request.expected.amount === refund.amount && request.expected.from_address === refund.fromAddress))
