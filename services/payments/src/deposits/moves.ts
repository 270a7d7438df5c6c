import { DEPOSIT_BUCKETS, type DepositMove, type EventOf } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import type { KeptDeposit } from '../crypto-orders/deposits-store.ts'
import type { OrderRecord } from '../crypto-orders/order.ts'
import { NOTHING, type Split } from '../crypto-orders/split.ts'

export const difference = (before: Split, after: Split): Split => ({
  open: after.open - before.open,
  applied: after.applied - before.applied,
  excess: after.excess - before.excess,
  late: after.late - before.late,
  foreign: after.foreign - before.foreign,
})

export const isSame = (a: Split | null, b: Split | null): boolean =>
  DEPOSIT_BUCKETS.every((bucket) => (a ?? NOTHING)[bucket] === (b ?? NOTHING)[bucket])

type Owner = Pick<OrderRecord, 'id' | 'partnerId' | 'partnerCustomerId' | 'merchantId'>
type Moved = Pick<KeptDeposit, 'network' | 'asset' | 'txId' | 'outputIndex' | 'amount'>

/** The move of a deposit by the differences of its buckets, and of the service fee. */
export const presentMove = (order: Owner, deposit: Moved, moved: Split, fee: bigint): DepositMove => {
  const decimals = ASSET_DECIMALS[deposit.asset]
  const signed = (units: bigint) =>
    units < 0n ? `-${fromUnits(-units, decimals)}` : fromUnits(units, decimals)
  return {
    order_id: order.id,
    partner_id: order.partnerId,
    partner_customer_id: order.partnerCustomerId,
    customer_id: order.merchantId,
    network: deposit.network,
    asset: deposit.asset,
    tx_id: deposit.txId,
    output_index: deposit.outputIndex,
    amount: deposit.amount,
    open: signed(moved.open),
    applied: signed(moved.applied),
    excess: signed(moved.excess),
    late: signed(moved.late),
    foreign: signed(moved.foreign),
    ...(fee !== 0n && { service_fee: signed(fee) }),
  }
}

const feeUnits = ({ asset, serviceFee }: KeptDeposit): bigint => toUnits(serviceFee, ASSET_DECIMALS[asset])

/** Returns the moves of a deposit between its buckets: none or one; two if its asset changed. */
export const movesOf = (
  order: OrderRecord,
  before: KeptDeposit | undefined,
  after: KeptDeposit,
): DepositMove[] => {
  const [from, to] = [before?.split ?? NOTHING, after.split ?? NOTHING]
  const [paid, due] = [before === undefined ? 0n : feeUnits(before), feeUnits(after)]
  if (before !== undefined && before.asset !== after.asset && from !== NOTHING)
    return [
      presentMove(order, before, difference(from, NOTHING), -paid),
      ...(isSame(to, NOTHING) ? [] : [presentMove(order, after, to, due)]),
    ]
  return isSame(from, to) && paid === due ? [] : [presentMove(order, after, difference(from, to), due - paid)]
}

/** `deposit.moved`: a fact for the books. Nobody outside receives it. */
export const depositMovedEvent = (id: string, move: DepositMove, now: Date): EventOf<'deposit.moved'> => ({
  id,
  name: 'deposit.moved',
  created_at: now.toISOString(),
  partners: [],
  merchant: null,
  fact: { kind: 'deposit_move', deposit_move: move },
})
