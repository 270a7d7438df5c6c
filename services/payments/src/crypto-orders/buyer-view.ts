import type { Asset, DepositOfBuyer, Network, PayableOrder } from '@causeway/contracts'
import {
  ASSET_DECIMALS,
  explorerUrl,
  fromUnits,
  paymentUri,
  toUnits,
  type Explorers,
} from '@causeway/rails/networks'
import type { OrderLinks, OrderRecord } from './order.ts'

type Uncounted = Readonly<{ unconfirmed: string; reverted: string }>
type StoredDeposit = Readonly<{ txId: string; amount: string; confirmations: number; countedAt: Date | null }>

/** An order with its unconfirmed and its reverted amount, in the asset, its newest deposits, and what its page shows. */
export type BuyersOrder = OrderRecord &
  Uncounted &
  Readonly<{
    rate: string
    shopName: string | null
    description: string | null
    returnUrl: string | null
    deposits: readonly StoredDeposit[]
  }>

/** How an order is presented. `drawQr` returns the PNG of a text, in base64. */
export type BuyersPage = Readonly<{
  links: OrderLinks
  drawQr: (text: string) => string
  confirmations: Readonly<Record<Network, number>>
  explorers: Explorers
}>

/** Returns a text that changes whenever anything changes that the buyer sees. */
export const versionOf = (
  order: Pick<OrderRecord, 'status' | 'received' | 'expiresAt'> & Uncounted,
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

const presentDeposit = (
  { txId, amount, confirmations, countedAt }: StoredDeposit,
  { network, asset }: OrderRecord,
  page: BuyersPage,
): DepositOfBuyer => {
  const decimals = ASSET_DECIMALS[asset]
  const confirmationsNeeded = page.confirmations[network]
  return {
    txId,
    amount: fromUnits(toUnits(amount, decimals), decimals),
    confirmations: countedAt === null ? Math.min(confirmations, confirmationsNeeded) : confirmationsNeeded,
    confirmationsNeeded,
    countedAt: countedAt?.toISOString() ?? null,
    explorerUrl: explorerUrl(page.explorers, network, txId),
  }
}

/** Presents an order to its buyer (decisions §22). The payment URI has the amount that is still to be sent. */
export const presentToBuyer = (order: BuyersOrder, page: BuyersPage): PayableOrder => {
  const { shopName, description, returnUrl } = order
  const decimals = ASSET_DECIMALS[order.asset]
  const due = dueOf(order)
  const toSend = less(order.asset, due, order.unconfirmed)
  const uri = paymentUri({ ...order, amount: toSend === '0' ? order.amount : toSend }, page.links.chains)
  return {
    id: order.id,
    ...(shopName !== null && { shopName }),
    ...(description !== null && { description }),
    ...(returnUrl !== null && { returnUrl }),
    rate: order.rate,
    deposits: order.deposits.map((deposit) => presentDeposit(deposit, order, page)),
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
    qrImage: `data:image/png;base64,${page.drawQr(uri)}`,
    version: versionOf(order),
    createdAt: order.createdAt.toISOString(),
    expiresAt: order.expiresAt.toISOString(),
  }
}
