import type { Asset, Network } from '@causeway/contracts'
import { quote, type Destination, type Rate } from '@causeway/rails'
import { spellFiat } from './fiat-amount.ts'
import type { OrderRecord } from './order.ts'

/** What a partner asks for, and what was found out for it. */
export type Wish = Readonly<{
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
export const draftOrder = (wish: Wish): OrderRecord => {
  const { network, asset, fiatAmount } = wish
  const { amount, networkFee, totalToSend } = quote({ network, asset, fiatAmount, price: wish.rate.price })
  return {
    id: wish.id,
    partnerId: wish.partnerId,
    partnerCustomerId: wish.partnerCustomerId,
    merchantId: wish.merchantId,
    reference: wish.reference,
    network,
    asset,
    amount,
    networkFee,
    totalToSend,
    currency: wish.currency,
    fiatAmount: spellFiat(fiatAmount, wish.currency),
    address: wish.destination.address,
    watchAddress: wish.destination.watchAddress,
    status: 'pending',
    received: '0',
    createdAt: wish.now,
    expiresAt: new Date(wish.now.getTime() + wish.timeToLiveMs),
  }
}
