import type { Asset, CryptoOrderStatus } from '@causeway/contracts'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'
import type { OrderEventType } from '../crypto-orders/events.ts'

/** The tolerance below the due amount that still counts as paid, in billionths: exact where a float would not be. */
export type Tolerance = bigint
const WHOLE = 1_000_000_000n

/** A share such as 0.005 (half a percent) as billionths. */
export const toTolerance = (share: number): Tolerance => BigInt(Math.round(share * Number(WHOLE)))

/** Amount due of an order, and the amount that counts towards it. */
export type Payable = Readonly<{
  status: CryptoOrderStatus
  asset: Asset
  amount: string
  received: string
  /** True if the merchant accepted the received amount as the payment. */
  isAccepted: boolean
}>

export type Settlement = Readonly<{
  status: CryptoOrderStatus
  /** The event to emit, or null when nothing changed for anybody. */
  event: Extract<OrderEventType, 'payment.confirmed' | 'payment.underpaid'> | null
}>

const isPaid = ({ asset, amount, received, isAccepted }: Payable, tolerance: Tolerance): boolean => {
  if (isAccepted) return true
  const decimals = ASSET_DECIMALS[asset]
  return toUnits(received, decimals) * WHOLE >= toUnits(amount, decimals) * (WHOLE - tolerance)
}

/**
 * Settles an order of which one more deposit counts (decisions §9): enough, less the tolerance, pays a pending, an
 * underpaid and, late, an expired order; less makes a pending order underpaid, with an event each time. A paid, cancelled
 * or refunded order stays as it is.
 */
export const settle = (order: Payable, tolerance: Tolerance): Settlement => {
  const awaits = order.status === 'pending' || order.status === 'underpaid' || order.status === 'expired'
  if (!awaits) return { status: order.status, event: null }
  if (isPaid(order, tolerance)) return { status: 'paid', event: 'payment.confirmed' }
  return order.status === 'expired'
    ? { status: 'expired', event: null }
    : { status: 'underpaid', event: 'payment.underpaid' }
}

/**
 * The status of an order of which one deposit less counts (decisions §20): what is still enough leaves it paid; else it
 * is what it would have been without that deposit.
 * @param isOver whether its time was over before any of the deposits that still count
 */
export const unsettle = (order: Payable, tolerance: Tolerance, isOver: boolean): CryptoOrderStatus => {
  if (order.status !== 'paid' && order.status !== 'underpaid') return order.status
  if (order.status === 'paid' && isPaid(order, tolerance)) return 'paid'
  if (isOver) return 'expired'
  return order.received === '0' ? 'pending' : 'underpaid'
}
