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

type Owner = Pick<OrderRecord, 'id' | 'partnerId' | 'partnerCustomerId' | 'merchantId' | 'currency'>
type Moved = Pick<KeptDeposit, 'network' | 'asset' | 'txId' | 'outputIndex' | 'amount'>

/** The fee that the applied part of a deposit bears, and the amount of it that is converted: `cents` in the minor unit of the order's currency. */
export type Booked = Readonly<{ fee: bigint; settled: bigint; cents: bigint }>
export const NOTHING_BOOKED: Booked = { fee: 0n, settled: 0n, cents: 0n }

export const bookedOf = ({
  asset,
  serviceFee,
  settledAmount,
  settledCents,
}: Pick<KeptDeposit, 'asset' | 'serviceFee' | 'settledAmount' | 'settledCents'>): Booked => ({
  fee: toUnits(serviceFee, ASSET_DECIMALS[asset]),
  settled: toUnits(settledAmount, ASSET_DECIMALS[asset]),
  cents: BigInt(settledCents),
})

export const bookedDifference = (before: Booked, after: Booked): Booked => ({
  fee: after.fee - before.fee,
  settled: after.settled - before.settled,
  cents: after.cents - before.cents,
})

export const isNothingBooked = ({ fee, settled, cents }: Booked): boolean =>
  fee === 0n && settled === 0n && cents === 0n

/** The move of a deposit by the differences of its buckets, of the service fee and of what is converted. */
export const presentMove = (
  order: Owner,
  deposit: Moved,
  moved: Split,
  { fee, settled, cents }: Booked,
): DepositMove => {
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
    ...((settled !== 0n || cents !== 0n) && {
      settled_amount: signed(settled),
      settled_cents: Number(cents),
      settled_currency: order.currency,
    }),
  }
}

/** Returns the moves of a deposit between its buckets: none or one; two if its asset changed. */
export const movesOf = (
  order: OrderRecord,
  before: KeptDeposit | undefined,
  after: KeptDeposit,
): DepositMove[] => {
  const [from, to] = [before?.split ?? NOTHING, after.split ?? NOTHING]
  const [booked, due] = [before === undefined ? NOTHING_BOOKED : bookedOf(before), bookedOf(after)]
  if (before !== undefined && before.asset !== after.asset && from !== NOTHING)
    return [
      presentMove(order, before, difference(from, NOTHING), bookedDifference(booked, NOTHING_BOOKED)),
      ...(isSame(to, NOTHING) ? [] : [presentMove(order, after, to, due)]),
    ]
  const change = bookedDifference(booked, due)
  return isSame(from, to) && isNothingBooked(change)
    ? []
    : [presentMove(order, after, difference(from, to), change)]
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
