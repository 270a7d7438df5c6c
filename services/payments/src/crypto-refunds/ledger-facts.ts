import { newIdAt, type Transaction } from '@causeway/chassis'
import {
  NETWORK_ASSETS,
  type DepositBucket,
  type LedgerFactOf,
  type UnattributedMoneyKind,
} from '@causeway/contracts'
import type { SignedRefund } from './signed-refund.ts'
import { findRefundOwner } from './signed-refund-store.ts'

type SentRefund = Pick<SignedRefund, 'id' | 'network' | 'asset' | 'amount' | 'sentAmount' | 'networkFee'>

/** The bucket that a refund empties. What a cancelled order has received is late (decisions §52). */
const bucketOf = (kind: UnattributedMoneyKind | null): DepositBucket => {
  if (kind === 'foreign') return 'foreign'
  return kind === 'excess' || kind === 'second' ? 'excess' : 'late'
}

/** A fee in the asset itself is paid from the amount; that of a token is paid in the network's coin, from the gas account. */
const networkFeeOf = ({
  network,
  asset,
  networkFee,
}: SentRefund): LedgerFactOf<'crypto_refunded'>['network_fee'] => {
  const [coin] = NETWORK_ASSETS[network]
  const amount = networkFee ?? '0'
  return asset === coin
    ? { asset, amount, paid_from: 'deposits', borne_by: 'bucket' }
    : { asset: coin, amount, paid_from: 'gas', borne_by: 'platform' }
}

/** The order that a refund belongs to, and the kind of the unattributed money; null: what the order has received. */
type RefundOwner = Readonly<{
  orderId: string
  partnerCustomerId: string
  kind: UnattributedMoneyKind | null
}>

/** The movement of a refund that was sent. */
export const refundFact = (
  refund: SentRefund,
  owner: RefundOwner,
  at: Date,
): LedgerFactOf<'crypto_refunded'> => ({
  kind: 'crypto_refunded',
  fact_id: `crypto_refunded:${refund.id}`,
  at: at.toISOString(),
  order_id: owner.orderId,
  partner_customer_id: owner.partnerCustomerId,
  network: refund.network,
  asset: refund.asset,
  bucket: bucketOf(owner.kind),
  amount: refund.sentAmount ?? refund.amount,
  network_fee: networkFeeOf(refund),
})

/**
 * Emits the movement of a refund that was sent, in the transaction that records its end. Unknown money is in no books yet:
 * it belongs to no order. The event has the name of a deposit's move, because services of an older version park names that
 * they do not know.
 */
export const emitRefundFact = async (tx: Transaction, refund: SignedRefund, now: Date): Promise<void> => {
  const owner = await findRefundOwner(tx, { id: refund.id })
  if (owner === null) return
  tx.emit({
    id: newIdAt('event', now.getTime()),
    name: 'deposit.moved',
    created_at: now.toISOString(),
    partners: [],
    merchant: null,
    fact: null,
    ledger_facts: [refundFact(refund, owner, now)],
  })
}
