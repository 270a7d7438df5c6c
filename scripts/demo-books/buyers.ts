import { setInterval } from 'node:timers/promises'
import type { RawClient } from '@causeway/dev-env/platform/raw-client'
import { cryptoOrderBody } from '@causeway/scenario'
import { control } from '../demo/tour-context.ts'
import type { Shop, Shops } from './shops.ts'

/** Every tenth payment is made in crypto. */
const CRYPTO_EVERY = 10
/** With every 17th payment an earlier card order is refunded in part, with every 101st one is disputed. */
const REFUND_EVERY = 17
const DISPUTE_EVERY = 101
const REFUND_CENTS = 250
/** Every seventh card order gives a part of its price to the next shop. */
const SPLIT_EVERY = 7
const SPLIT_CENTS = 333
/** Payments that may be under way at a time: while a part of the platform is down, buyers wait. */
const MOST_UNDER_WAY = 200
/** Number of the newest orders that can be refunded, disputed or disturbed. */
const REMEMBERED = 1_000

export type Counts = Readonly<{
  made: number
  /** Payments whose order or payment failed, because a part of the platform was down. */
  failed: number
  underWay: number
  reversed: number
  /** Refunds and disputes that failed, also because the order was not confirmed yet. */
  failedReversals: number
}>

/** Buyers who pay at the shops until they are stopped. */
export type Buyers = Readonly<{
  counts: () => Counts
  /** Keys of the newest card orders that were paid. */
  newestCardOrders: () => readonly string[]
  /** Ids of the newest crypto orders that were paid. */
  newestCryptoOrders: () => readonly string[]
  /** Resolves when no payment is under way any more. */
  stop: () => Promise<void>
}>

type Newest = string[]
const remember = (newest: Newest, id: string): void => {
  newest.push(id)
  if (newest.length > REMEMBERED) newest.shift()
}

/**
 * Has buyers pay at the shops in turn: mostly by card, some in crypto; some payments are refunded in part or disputed.
 * @param perSecond payments that are begun each second
 */
export const startBuyers = ({ partner, shops }: Shops, sandbox: RawClient, perSecond: number): Buyers => {
  const [cardOrders, cryptoOrders]: [Newest, Newest] = [[], []]
  const underWay = new Set<Promise<unknown>>()
  const stopping = new AbortController()
  const counts = { made: 0, failed: 0, reversed: 0, failedReversals: 0 }
  let begun = 0

  const payInCrypto = async ({ customerId }: Shop, number: number): Promise<void> => {
    const { order } = await partner.createCryptoOrder({
      customerId,
      body: cryptoOrderBody(`books-${number}`),
    })
    await control({ sandbox }, 'deposits', { order_id: order.id, confirmations: 1 })
    remember(cryptoOrders, order.id)
  }
  const splitsOf = (number: number) => {
    const receiver = shops[(number + 1) % shops.length]
    return receiver === undefined || number % SPLIT_EVERY !== 0
      ? {}
      : { splits: [{ partner_customer_id: receiver.customerId, amount_cents: SPLIT_CENTS }] }
  }
  const payByCard = async ({ customerId, integrationId }: Shop, number: number): Promise<void> => {
    const reference = `books-${number}`
    const { order } = await partner.createFiatOrder(
      {
        customerId,
        body: {
          integration_id: integrationId,
          amount_cents: 1_000 + (number % 90) * 100,
          currency: number % 4 === 0 ? 'USD' : 'EUR',
          service_fee_payer: 'customer',
          merchant_reference: reference,
          ...splitsOf(number),
        },
      },
      { idempotencyKey: reference },
    )
    const orderKey = order.order_key
    await control({ sandbox }, `card-payments/${orderKey}`, { outcome: 'completed' })
    remember(cardOrders, orderKey)
  }
  const dispute = (orderKey: string) => control({ sandbox }, `chargebacks/${orderKey}`, {})
  const refund = (orderKey: string) =>
    partner.createRefund({ orderKey, body: { amount_cents: REFUND_CENTS } }).then(() => undefined)
  // Parts of the platform are killed while buyers pay: the page shows how many calls failed.
  const pay = async (number: number): Promise<void> => {
    const shop = shops[number % shops.length]
    if (shop === undefined) return
    const payment = number % CRYPTO_EVERY === 0 ? payInCrypto(shop, number) : payByCard(shop, number)
    await payment.then(
      () => (counts.made += 1),
      () => (counts.failed += 1),
    )
  }
  /** Refunds or disputes the oldest order that is remembered, which is most likely confirmed. */
  const reverse = async (number: number): Promise<void> => {
    const act = number % DISPUTE_EVERY === 0 ? dispute : number % REFUND_EVERY === 0 ? refund : null
    if (act === null) return
    const orderKey = cardOrders.shift()
    if (orderKey === undefined) return
    await act(orderKey).then(
      () => (counts.reversed += 1),
      () => (counts.failedReversals += 1),
    )
  }
  const begin = (): void => {
    begun += 1
    const payment = Promise.all([pay(begun), reverse(begun)]).finally(() => underWay.delete(payment))
    underWay.add(payment)
  }
  const run = async (): Promise<void> => {
    const startedMs = performance.now()
    let due = 0
    for await (const _ of setInterval(50, undefined, { signal: stopping.signal })) {
      const wanted = Math.floor(((performance.now() - startedMs) * perSecond) / 1_000)
      for (; due < wanted; due += 1) if (underWay.size < MOST_UNDER_WAY) begin()
    }
  }
  const running = run().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })

  return {
    counts: () => ({ ...counts, underWay: underWay.size }),
    newestCardOrders: () => cardOrders,
    newestCryptoOrders: () => cryptoOrders,
    stop: async () => {
      stopping.abort()
      await running
      await Promise.allSettled(underWay)
    },
  }
}
