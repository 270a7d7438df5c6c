import type { Asset, Network } from '@causeway/contracts'
import type { Destination } from '@causeway/rails/networks'
import type { CryptoOrderTerms } from '../price-plans/rules.ts'
import { spellFiat } from './fiat-amount.ts'
import type { OrderRecord } from './order.ts'
import type { ChargedQuote } from '../price-plans/asset-fee.ts'

/** A partner's request, with the quote, terms and destination for it. */
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
  quoted: ChargedQuote
  terms: CryptoOrderTerms
  destination: Destination
  now: Date
  /** How long the rate is locked and the order may be paid. */
  timeToLiveMs: number
}>

/** A new pending order: the amount in the asset at the locked rate, rounded up (decisions §9), and its service fee (decisions §52). */
export const newOrder = (input: NewOrder): OrderRecord => {
  const { network, asset, currency, fiatAmount, terms, quoted } = input
  return {
    id: input.id,
    partnerId: input.partnerId,
    partnerCustomerId: input.partnerCustomerId,
    merchantId: input.merchantId,
    reference: input.reference,
    network,
    asset,
    amount: quoted.amount,
    networkFee: quoted.networkFee,
    totalToSend: quoted.totalToSend,
    currency,
    fiatAmount: spellFiat(fiatAmount, currency),
    serviceFee: quoted.serviceFee,
    serviceFeePercent: terms.fee.percent,
    serviceFeePayer: terms.fee.payer,
    settlement: terms.settlement,
    address: input.destination.address,
    watchAddress: input.destination.watchAddress,
    status: 'pending',
    received: '0',
    createdAt: input.now,
    expiresAt: new Date(input.now.getTime() + input.timeToLiveMs),
  }
}
