import type { PayableOrder } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, paymentUri, toUnits } from '@causeway/rails/networks'
import type { OrderLinks, OrderRecord } from './order.ts'

/** An order, what was seen for it that does not count yet, and what was taken back, in the asset. */
export type BuyersOrder = OrderRecord & Readonly<{ unconfirmed: string; reverted: string }>

/** A text that changes with everything that a buyer sees change. */
export const versionOf = (
  order: Pick<BuyersOrder, 'status' | 'received' | 'unconfirmed' | 'reverted' | 'expiresAt'>,
): string =>
  `${order.status}:${order.received}:${order.unconfirmed}:${order.reverted}:${order.expiresAt.getTime()}`

/** Returns the missing amount: zero once the order is paid, also within the tolerance. */
const dueOf = ({ status, asset, amount, received }: OrderRecord): string => {
  if (status === 'paid' || status === 'refunded') return '0'
  const decimals = ASSET_DECIMALS[asset]
  const missing = toUnits(amount, decimals) - toUnits(received, decimals)
  return fromUnits(missing > 0n ? missing : 0n, decimals)
}

/**
 * The order for its buyer (decisions §22). A wallet is asked for what is still due, not for the whole amount again.
 * @param drawQr the PNG of a text, in base64
 */
export const presentToBuyer = (
  order: BuyersOrder,
  { chains }: OrderLinks,
  drawQr: (text: string) => string,
): PayableOrder => {
  const due = dueOf(order)
  const uri = paymentUri({ ...order, amount: due === '0' ? order.amount : due }, chains)
  const decimals = ASSET_DECIMALS[order.asset]
  return {
    id: order.id,
    network: order.network,
    asset: order.asset,
    amount: order.amount,
    currency: order.currency,
    fiatAmount: order.fiatAmount,
    status: order.status,
    received: order.received,
    unconfirmed: fromUnits(toUnits(order.unconfirmed, decimals), decimals),
    reverted: fromUnits(toUnits(order.reverted, decimals), decimals),
    due,
    address: order.address,
    paymentUri: uri,
    qrImage: `data:image/png;base64,${drawQr(uri)}`,
    version: versionOf(order),
    createdAt: order.createdAt.toISOString(),
    expiresAt: order.expiresAt.toISOString(),
  }
}
