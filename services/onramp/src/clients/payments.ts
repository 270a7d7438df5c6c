import { NotDoneError, type Outcome, type ServiceClient } from '@causeway/chassis'
import { onrampHolds, type CryptoOrderTerms } from '@causeway/contracts'
import type { Purchase } from '../orders/purchase.ts'

type Answer = Promise<Outcome<{ order: CryptoOrderTerms }>>
type Held = Pick<Purchase, 'id' | 'partnerId' | 'orderId'>

/** Payments, over the bus. Every question may be asked again without another effect. */
export type Payments = Readonly<{
  resolve: (partnerId: string, orderId: string) => Answer
  hold: (purchase: Held) => Answer
  /** @param keepUntil the invoice does not expire before; left out: it expires as if it had never been held */
  release: (purchase: Held, keepUntil?: Date) => Answer
  extend: (purchase: Held & Pick<Purchase, 'capAt'>) => Answer
  cancel: (purchase: Held, cause: 'onramp_failed' | 'ramping_kyc_timeout') => Answer
}>

/** @param ask asks over the bus */
export const createPayments = (ask: ServiceClient): Payments => {
  const named = (purchase: Held) => ({
    partner_id: purchase.partnerId,
    order_id: purchase.orderId,
    onramp_order_id: purchase.id,
  })
  return {
    resolve: (partnerId, orderId) => ask(onrampHolds.getOrder, { partner_id: partnerId, order_id: orderId }),
    hold: (purchase) => ask(onrampHolds.create, named(purchase)),
    release: (purchase, keepUntil) =>
      ask(onrampHolds.release, {
        ...named(purchase),
        ...(keepUntil && { keep_until: keepUntil.toISOString() }),
      }),
    extend: (purchase) =>
      ask(onrampHolds.extend, { ...named(purchase), expires_at: purchase.capAt.toISOString() }),
    cancel: (purchase, cause) => ask(onrampHolds.cancelOrder, { ...named(purchase), cause }),
  }
}

/**
 * The invoice, or null when payments knows none.
 * @throws NotDoneError when payments could not be asked
 */
export const invoiceOf = async (answer: Answer): Promise<CryptoOrderTerms | null> => {
  const outcome = await answer
  if (outcome.ok) return outcome.value.order
  if (outcome.code === 'resource_not_found') return null
  throw new NotDoneError(`Payments answered ${outcome.code}`)
}
