import type { Asset, Network } from '@causeway/contracts'
import { quote, type Destination } from '@causeway/rails/networks'
import type { Rate } from '@causeway/rails/rates'
import { spellFiat } from './fiat-amount.ts'
import type { OrderRecord } from './order.ts'

/** A partner's request, with the rate and destination for it. */
type NewOrder = Readonly<{
  id: string
  partnerId: string
  partnerCustomerId: string
  merchantId: string
  reference: string
  network: Network
  asset: Asset
  currency: string
  fiatAmount: string
  rate: Rate
  destination: Destination
  now: Date
  /** How long the rate is locked and the order may be paid. */
  timeToLiveMs: number
}>

/** A new pending order: the amount in the asset at the locked rate, rounded up (decisions §9). */
export const newOrder = (input: NewOrder): OrderRecord => {
  const { network, asset, fiatAmount } = input
  const { amount, networkFee, totalToSend } = quote({ network, asset, fiatAmount, price: input.rate.price })
  return {
    id: input.id,
    partnerId: input.partnerId,
    partnerCustomerId: input.partnerCustomerId,
    merchantId: input.merchantId,
    reference: input.reference,
    network,
    asset,
    amount,
    networkFee,
    totalToSend,
    currency: input.currency,
    fiatAmount: spellFiat(fiatAmount, input.currency),
    address: input.destination.address,
    watchAddress: input.destination.watchAddress,
    status: 'pending',
    received: '0',
    createdAt: input.now,
    expiresAt: new Date(input.now.getTime() + input.timeToLiveMs),
  }
}
