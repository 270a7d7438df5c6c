import {
  Asset,
  CryptoOrderStatus,
  CryptoSettlement,
  Network,
  ServiceFeePayer,
  type CryptoOrder,
  type CryptoOrderRow,
} from '@causeway/contracts'
import { paymentUri, toUnits, type NetworkChains } from '@causeway/rails/networks'
import { z } from 'zod'
import { presentFee } from './service-fee.ts'

/** A crypto order as stored, without the payer's sealed data. Amounts are decimals in the asset. */
export const OrderRecord = z.object({
  id: z.string(),
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  merchantId: z.string(),
  reference: z.string(),
  network: Network,
  asset: Asset,
  /** The amount due, in the asset; with the service fee where the customer pays it. */
  amount: z.string(),
  /** Estimated network fee that the payer's wallet adds; null when it is paid in another asset. */
  networkFee: z.string().nullable(),
  totalToSend: z.string(),
  currency: z.string(),
  fiatAmount: z.string(),
  /** Service fee of the amount due, in the asset (decisions §52). */
  serviceFee: z.string(),
  serviceFeePercent: z.coerce.number(),
  serviceFeePayer: ServiceFeePayer,
  /** Where its receipts are booked (decisions §52). */
  settlement: CryptoSettlement,
  address: z.string(),
  /** The address at which the chain reports its deposits. */
  watchAddress: z.string(),
  status: CryptoOrderStatus,
  /** The sum of all counted deposits. */
  received: z.string(),
  createdAt: z.date(),
  expiresAt: z.date(),
})
export type OrderRecord = z.infer<typeof OrderRecord>

/** Configuration for the links and addresses in an order's responses and events. */
export type OrderLinks = Readonly<{ publicBaseUrl: string; chains: NetworkChains }>

/** Where the order's QR image is served without a credential (decisions §9). */
export const qrUrlOf = (publicBaseUrl: string, orderId: string): string =>
  `${publicBaseUrl}/qr/${orderId}.png`

/** The payment page of an order (decisions §22). */
const payUrlOf = (publicBaseUrl: string, orderId: string): string => `${publicBaseUrl}/pay/${orderId}`

/** The order as a partner sees it (spec: Crypto order), without list-only and single-only fields. */
export const presentOrder = (order: OrderRecord, { publicBaseUrl, chains }: OrderLinks): CryptoOrder => ({
  id: order.id,
  reference: order.reference,
  network: order.network,
  asset: order.asset,
  amount: order.amount,
  currency: order.currency,
  status: order.status,
  address: order.address,
  paymentUri: paymentUri(order, chains),
  qrUrl: qrUrlOf(publicBaseUrl, order.id),
  payUrl: payUrlOf(publicBaseUrl, order.id),
  ...presentFee(order),
  createdAt: order.createdAt.toISOString(),
  expiresAt: order.expiresAt.toISOString(),
})

/** Decimals of a request's own amount. */
export const FIAT_DECIMALS = 2

type Priced = Pick<OrderRecord, 'network' | 'asset' | 'currency'>

/** Fields of a request that differ from the order which its reference replays (decisions §59). */
export const differingFields = (
  { amount, ...asked }: Priced & Readonly<{ amount: string }>,
  order: Priced & Pick<OrderRecord, 'fiatAmount'>,
): ('network' | 'asset' | 'amount' | 'currency')[] => [
  ...(['network', 'asset', 'currency'] as const).filter((field) => asked[field] !== order[field]),
  ...(toUnits(amount, FIAT_DECIMALS) === toUnits(order.fiatAmount, FIAT_DECIMALS)
    ? []
    : (['amount'] as const)),
]

/** A row of the list: the order with its fiat amount and the total that leaves the payer's wallet. */
export const presentRow = (
  order: OrderRecord,
  links: OrderLinks,
): CryptoOrder & Pick<z.infer<typeof CryptoOrderRow>, 'totalToSend' | 'networkFees' | 'fiatAmount'> => ({
  ...presentOrder(order, links),
  totalToSend: order.totalToSend,
  networkFees: order.networkFee,
  fiatAmount: order.fiatAmount,
})
