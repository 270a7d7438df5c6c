import type { Asset, PayableOrder } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, paymentUri, toUnits } from '@causeway/rails/networks'
import type { OrderLinks, OrderRecord } from './order.ts'

/** An order with its unconfirmed and its reverted amount, in the asset. */
export type BuyersOrder = OrderRecord & Readonly<{ unconfirmed: string; reverted: string }>

/** Returns a text that changes whenever anything changes that the buyer sees. */
export const versionOf = (
  order: Pick<BuyersOrder, 'status' | 'received' | 'unconfirmed' | 'reverted' | 'expiresAt'>,
): string =>
  `${order.status}:${order.received}:${order.unconfirmed}:${order.reverted}:${order.expiresAt.getTime()}`

/** Returns an amount less others in an asset, at least 0. */
const less = (asset: Asset, amount: string, ...others: readonly string[]): string => {
  const decimals = ASSET_DECIMALS[asset]
  const rest = others.reduce((left, other) => left - toUnits(other, decimals), toUnits(amount, decimals))
  return fromUnits(rest > 0n ? rest : 0n, decimals)
}

/** Returns the missing amount: zero once the order is paid, also within the tolerance. */
const dueOf = ({ status, asset, amount, received }: OrderRecord): string =>
  status === 'paid' || status === 'refunded' ? '0' : less(asset, amount, received)

/**
 * Presents an order to its buyer (decisions §22). The payment URI has the amount that is still to be sent.
 * @param drawQr the PNG of a text, in base64
 */
export const presentToBuyer = (
  order: BuyersOrder,
  { chains }: OrderLinks,
  drawQr: (text: string) => string,
): PayableOrder => {
  const decimals = ASSET_DECIMALS[order.asset]
  const due = dueOf(order)
  const toSend = less(order.asset, due, order.unconfirmed)
  const uri = paymentUri({ ...order, amount: toSend === '0' ? order.amount : toSend }, chains)
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
    toSend,
    excess: order.status === 'paid' ? less(order.asset, order.received, order.amount) : '0',
    ...(order.serviceFeePayer === 'customer' && order.serviceFee !== '0' && { serviceFee: order.serviceFee }),
    address: order.address,
    paymentUri: uri,
    qrImage: `data:image/png;base64,${drawQr(uri)}`,
    version: versionOf(order),
    createdAt: order.createdAt.toISOString(),
    expiresAt: order.expiresAt.toISOString(),
  }
}
