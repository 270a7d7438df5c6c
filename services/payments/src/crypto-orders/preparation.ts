import { newId, span, type ServiceContext } from '@causeway/chassis'
import type { cryptoOrders } from '@causeway/contracts'
import type { Destinations, Rate } from '@causeway/rails'
import type { z } from 'zod'
import { draftOrder } from './new-order.ts'
import { orderEvent } from './events.ts'
import { createPayerSealer } from '../payers/sealer.ts'
import { createIndices } from './derivation-index-store.ts'
import type { Draft } from './insert-store.ts'

export type CreationRequest = Readonly<{
  partnerId: string
  partnerCustomerId: string
  body: z.output<(typeof cryptoOrders.create)['body']>
  now: Date
}>

export type DraftOptions = Readonly<{
  destinations: Destinations
  timeToLiveMs: number
  publicBaseUrl: string
}>

/** Everything of a new order that needs no database, so that many orders can share one statement. */
export type DraftMaker = (request: CreationRequest, merchantId: string, rate: Rate) => Promise<Draft>

/** What a payer's sealed data is bound to. */
export const payerContext = (orderId: string): string => `order:${orderId}`

export const createDraftMaker = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  options: DraftOptions,
): DraftMaker => {
  const { destinations, timeToLiveMs, publicBaseUrl } = options
  const indices = createIndices(db)

  const payerSealer = createPayerSealer({ db, vault })

  const sealPayer = async (body: CreationRequest['body'], orderId: string, now: Date): Promise<string> => {
    const sealer = await payerSealer(now)
    const { firstName, lastName, email, phone, country } = body
    return sealer.seal(JSON.stringify({ firstName, lastName, email, phone, country }), payerContext(orderId))
  }
  return async ({ partnerId, partnerCustomerId, body, now }, merchantId, rate) => {
    const { reference, network, asset, currency, amount: fiatAmount } = body
    const derivationIndex = await indices.take(network)
    const order = draftOrder({
      id: newId('cryptoOrder'),
      partnerId,
      partnerCustomerId,
      merchantId,
      reference,
      network,
      asset,
      currency,
      fiatAmount,
      rate,
      destination: destinations.derive(network, derivationIndex),
      now,
      timeToLiveMs,
    })
    const event = orderEvent({
      eventId: newId('event'),
      type: 'payment.pending',
      order,
      deposit: null,
      partnerSees: true,
      now,
      publicBaseUrl,
    })
    return {
      order,
      rate: rate.price,
      rateAt: rate.at,
      derivationIndex,
      payerSealed: await sealPayer(body, order.id, now),
      eventId: event.id,
      eventName: event.name,
      eventPayload: JSON.stringify(event),
      traceparent: span.traceparent(),
    }
  }
}
