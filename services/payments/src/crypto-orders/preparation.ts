import { newId, newIdAt, outboxFields, type ServiceContext } from '@causeway/chassis'
import type { cryptoOrders } from '@causeway/contracts'
import type { Destinations } from '@causeway/rails/networks'
import type { Rate } from '@causeway/rails/rates'
import type { z } from 'zod'
import { newOrder } from './new-order.ts'
import type { ChargedQuote } from '../price-plans/asset-fee.ts'
import type { OrderLinks } from './order.ts'
import { orderEvent } from './events.ts'
import { cryptoPayerContext } from '../payers/sealed-payers.ts'
import { createPayerSealer } from '../payers/sealer.ts'
import type { CryptoOrderTerms } from '../price-plans/rules.ts'
import type { OrderNumbers } from '../order-numbers/order-numbers.ts'
import type { PreparedOrder } from './insert-store.ts'

export type CreationRequest = Readonly<{
  partnerId: string
  partnerCustomerId: string
  body: z.output<(typeof cryptoOrders.create)['body']>
  now: Date
}>

export type PreparationOptions = Readonly<{
  numbers: OrderNumbers
  destinations: Destinations
  timeToLiveMs: number
  links: OrderLinks
}>

/** Prepares everything of a new order except the statement, which many orders share. */
export type Preparation = (
  request: CreationRequest,
  known: Readonly<{ merchantId: string; rate: Rate; quoted: ChargedQuote; terms: CryptoOrderTerms }>,
) => Promise<PreparedOrder>

export const createPreparation = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  options: PreparationOptions,
): Preparation => {
  const { numbers, destinations, timeToLiveMs, links } = options

  const payerSealer = createPayerSealer({ db, vault })

  const sealPayer = async (body: CreationRequest['body'], orderId: string, now: Date): Promise<string> => {
    const sealer = await payerSealer(now)
    const { firstName, lastName, email, phone, country } = body
    return sealer.seal(
      JSON.stringify({ firstName, lastName, email, phone, country }),
      cryptoPayerContext(orderId),
    )
  }
  return async ({ partnerId, partnerCustomerId, body, now }, { merchantId, rate, quoted, terms }) => {
    const { reference, network, asset, currency, amount: fiatAmount } = body
    const { shopName = null, description = null, returnUrl = null } = body
    const derivationIndex = await numbers.take(network)
    const order = newOrder({
      id: newId('cryptoOrder'),
      partnerId,
      partnerCustomerId,
      merchantId,
      reference,
      network,
      asset,
      currency,
      fiatAmount,
      quoted,
      terms,
      destination: destinations.derive(network, derivationIndex),
      now,
      timeToLiveMs,
    })
    const event = orderEvent({
      eventId: newIdAt('event', now.getTime()),
      type: 'payment.pending',
      order,
      deposit: null,
      partnerSees: true,
      now,
      links,
    })
    return {
      order,
      rate: rate.price,
      rateAt: rate.at,
      rateSource: rate.source,
      priceVersionId: terms.priceVersionId,
      derivationIndex,
      page: { shopName, description, returnUrl },
      payerSealed: await sealPayer(body, order.id, now),
      ...outboxFields(event),
    }
  }
}
