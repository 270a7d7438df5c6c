import type { PayableOrder } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, paymentUri, toUnits } from '@causeway/rails/networks'
import type { OrderLinks, OrderRecord } from './order.ts'

/** An order with its unconfirmed and its reverted amount, in the asset. */
export type BuyersOrder = OrderRecord & Readonly<{ unconfirmed: string; reverted: string }>

/** Returns a text that changes whenever anything changes that the buyer sees. */
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
 * Presents an order to its buyer (decisions §22). The payment URI has the amount that is still due.
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
