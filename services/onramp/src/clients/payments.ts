import { NotDoneError, type Outcome, type ServiceClient } from '@causeway/chassis'
import { onrampHolds, type CryptoOrderTerms } from '@causeway/contracts'

type Answer = Promise<Outcome<{ order: CryptoOrderTerms }>>
/** An onramp order, by its id, and the crypto order that it holds. */
type Holder = Readonly<{ id: string; partnerId: string; orderId: string }>

/**
 * When a crypto order expires that is released: not before `keepUntil`, not after `expiresAt`; without both as if it had
 * never been held.
 */
export type ReleaseTerms = Readonly<{ keepUntil?: Date; expiresAt?: Date }>

/** `payments.onramp-holds`, over the bus. Every operation may be repeated without another effect. */
export type OnrampHolds = Readonly<{
  getOrder: (partnerId: string, orderId: string) => Answer
  /** For the order's buyer, who knows its id alone. */
  getOrderByBuyer: (orderId: string) => Answer
  create: (purchase: Holder) => Answer
  /** The crypto order then expires at `capAt`. */
  extend: (purchase: Holder & Readonly<{ capAt: Date }>) => Answer
  release: (purchase: Holder, terms?: ReleaseTerms) => Answer
  cancelOrder: (purchase: Holder, cause: 'onramp_failed' | 'ramping_kyc_timeout') => Answer
}>

/** @param ask asks over the bus */
export const createOnrampHolds = (ask: ServiceClient): OnrampHolds => {
  const bodyOf = (purchase: Holder) => ({
    partner_id: purchase.partnerId,
    order_id: purchase.orderId,
    onramp_order_id: purchase.id,
  })
  return {
    getOrder: (partnerId, orderId) => ask(onrampHolds.getOrder, { partner_id: partnerId, order_id: orderId }),
    getOrderByBuyer: (orderId) => ask(onrampHolds.getOrderByBuyer, { order_id: orderId }),
    create: (purchase) => ask(onrampHolds.create, bodyOf(purchase)),
    extend: (purchase) =>
      ask(onrampHolds.extend, { ...bodyOf(purchase), expires_at: purchase.capAt.toISOString() }),
    release: (purchase, { keepUntil, expiresAt } = {}) =>
      ask(onrampHolds.release, {
        ...bodyOf(purchase),
        ...(keepUntil && { keep_until: keepUntil.toISOString() }),
        ...(expiresAt && { expires_at: expiresAt.toISOString() }),
      }),
    cancelOrder: (purchase, cause) => ask(onrampHolds.cancelOrder, { ...bodyOf(purchase), cause }),
  }
}

/**
 * The crypto order in an answer, or null when payments has none.
 * @throws NotDoneError when payments could not be reached
 */
export const cryptoOrderOf = async (answer: Answer): Promise<CryptoOrderTerms | null> => {
  const outcome = await answer
  if (outcome.ok) return outcome.value.order
  if (outcome.code === 'resource_not_found') return null
  throw new NotDoneError(`Payments returned ${outcome.code}`)
}
