import type { Asset, CryptoOrderStatus } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails'
import type { OrderEventType } from '../crypto-orders/events.ts'

/** The tolerance below the due amount that still counts as paid, in billionths: exact where a float would not be. */
export type Tolerance = bigint
const WHOLE = 1_000_000_000n

/** A share such as 0.005 (half a percent) as billionths. */
export const toTolerance = (share: number): Tolerance => BigInt(Math.round(share * Number(WHOLE)))

export type Payable = Readonly<{ status: CryptoOrderStatus; asset: Asset; amount: string; received: string }>

export type Settlement = Readonly<{
  status: CryptoOrderStatus
  received: string
  /** The event to emit, or null when nothing changed for anybody. */
  event: Extract<OrderEventType, 'payment.confirmed' | 'payment.underpaid'> | null
  /** Whether the deposit came after the order's end and pays for nothing. */
  isLate: boolean
}>

const isPaid = (due: bigint, received: bigint, tolerance: Tolerance): boolean =>
  received * WHOLE >= due * (WHOLE - tolerance)

/**
 * Settles one more counted deposit (decisions §9). Enough, less the tolerance, pays a pending, an underpaid and, late,
 * an expired order; less makes a pending order underpaid, with an event each time. A paid, cancelled or refunded order
 * only adds it to `received`. A deposit to an ended order that does not pay it is late.
 */
export const settle = (order: Payable, deposit: { amount: string }, tolerance: Tolerance): Settlement => {
  const decimals = ASSET_DECIMALS[order.asset]
  const units = toUnits(order.received, decimals) + toUnits(deposit.amount, decimals)
  const received = fromUnits(units, decimals)
  const awaits = order.status === 'pending' || order.status === 'underpaid' || order.status === 'expired'
  if (!awaits) return { status: order.status, received, event: null, isLate: order.status !== 'paid' }
  if (isPaid(toUnits(order.amount, decimals), units, tolerance))
    return { status: 'paid', received, event: 'payment.confirmed', isLate: false }
  if (order.status === 'expired') return { status: 'expired', received, event: null, isLate: true }
  return { status: 'underpaid', received, event: 'payment.underpaid', isLate: false }
}
