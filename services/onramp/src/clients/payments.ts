import { call, newId, NotDoneError, type Bus, type Clock, type Outcome } from '@causeway/chassis'
import { onrampHolds, type CryptoOrderTerms } from '@causeway/contracts'
import type { Purchase } from '../orders/purchase.ts'

type Answer = Promise<Outcome<{ order: CryptoOrderTerms }>>
type Held = Pick<Purchase, 'id' | 'partnerId' | 'orderId'>

const TIMEOUT_MS = 2_000

/** Payments, over the bus. Every question may be asked again without another effect. */
export type Payments = Readonly<{
  resolve: (partnerId: string, orderId: string) => Answer
  hold: (purchase: Held) => Answer
  /** @param keepUntil the invoice does not expire before; left out: it expires as if it had never been held */
  release: (purchase: Held, keepUntil?: Date) => Answer
  extend: (purchase: Held & Pick<Purchase, 'capAt'>) => Answer
  cancel: (purchase: Held, cause: 'onramp_failed' | 'ramping_kyc_timeout') => Answer
}>

export const createPayments = ({ bus, clock }: { bus: Bus; clock: Clock }): Payments => {
  const asking = () =>
    ({
      caller: { kind: 'service', service: 'onramp' },
      requestId: newId('request'),
      timeoutMs: TIMEOUT_MS,
      safe: true,
    }) as const
  const named = (purchase: Held) => ({
    partner_id: purchase.partnerId,
    order_id: purchase.orderId,
    onramp_order_id: purchase.id,
  })
  return {
    resolve: (partnerId, orderId) =>
      call(bus, clock, onrampHolds.getOrder, {
        ...asking(),
        body: { partner_id: partnerId, order_id: orderId },
      }),
    hold: (purchase) => call(bus, clock, onrampHolds.create, { ...asking(), body: named(purchase) }),
    release: (purchase, keepUntil) =>
      call(bus, clock, onrampHolds.release, {
        ...asking(),
        body: { ...named(purchase), ...(keepUntil && { keep_until: keepUntil.toISOString() }) },
      }),
    extend: (purchase) =>
      call(bus, clock, onrampHolds.extend, {
        ...asking(),
        body: { ...named(purchase), expires_at: purchase.capAt.toISOString() },
      }),
    cancel: (purchase, cause) =>
      call(bus, clock, onrampHolds.cancelOrder, { ...asking(), body: { ...named(purchase), cause } }),
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
