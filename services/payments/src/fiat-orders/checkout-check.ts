import { refuse, type ServiceContext, type OperationRequest } from '@causeway/chassis'
import type { fiatOrders } from '@causeway/contracts'
import { cardProcessorOf, type CardProcessors } from '@causeway/rails/cards'
import { isBlocked } from '../chargeback-cases/blocking.ts'
import { refuseUnusable } from '../relationships/eligibility.ts'
import type { Relationships } from '../relationships/relationships.ts'
import * as store from './store.ts'

export type CreateRequest = OperationRequest<(typeof fiatOrders)['create']>

/** The values for a card order whose checks have passed. */
export type AllowedCheckout = Readonly<{
  ok: true
  merchantId: string
  integrationId: string
  processor: string
  /** Step of the processor's amounts in the order's currency. */
  amountStep: number
}>

/** The customer is not this partner's, or revoked. Then not even a stored reply is replayed. */
export const NOT_VISIBLE = refuse('resource_not_found')

/**
 * Checks whether a card order may be created: 404 of customer and integration, 403 and 409 of the capability, 409 of a
 * blocked payer, in this order (decisions §1). The projection may lag, so onboarding decides what it would refuse.
 */
export const createCheckoutCheck = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  options: Readonly<{ relationships: Relationships; processors: CardProcessors }>,
) => {
  const { relationships, processors } = options
  return async ({ caller: { partnerId }, params: { customerId }, body }: CreateRequest) => {
    if ((await relationships.merchantOf(partnerId, customerId)) === null) return NOT_VISIBLE
    const customer = { partnerId, partnerCustomerId: customerId }
    const known = await store.getCheckout(db, { ...customer, integrationId: body.integration_id })
    if (!known) return NOT_VISIBLE
    const eligibility = refuseUnusable(known)
      ? await relationships.refresh(partnerId, customerId, 'payments.fiat_card')
      : known
    const { merchantId, integrationId, processor } = known
    if (eligibility?.status !== 'active') return NOT_VISIBLE
    if (integrationId === null || processor === null) return refuse('resource_not_found')
    const refusal = refuseUnusable(eligibility)
    if (refusal) return refusal
    const { currencies, amountStep } = cardProcessorOf(processors, processor).traits
    if (currencies !== null && !currencies.has(body.currency))
      return refuse('invalid_request', [
        { field: 'currency', reason: 'invalid_value', allowed: [...currencies] },
      ])
    const step = amountStep(body.currency)
    if (body.amount_cents % step !== 0)
      return refuse('invalid_request', [
        { field: 'amount_cents', reason: 'invalid_value', expected: `a multiple of ${step}` },
      ])
    const payer = { ip: body.payer_ip ?? null, email: body.payer_email ?? null }
    if (await isBlocked({ db, vault }, customer, payer)) return refuse('checkout_blocked')
    return { ok: true, merchantId, integrationId, processor, amountStep: step } satisfies AllowedCheckout
  }
}

export type CheckoutRefusal = Exclude<
  Awaited<ReturnType<ReturnType<typeof createCheckoutCheck>>>,
  { ok: true }
>
