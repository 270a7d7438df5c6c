import { refuse, type ServiceContext, type OperationRequest } from '@causeway/chassis'
import type { fiatOrders } from '@causeway/contracts'
import { cardProcessorOf, type CardProcessors } from '@causeway/rails'
import { refuseUnusable } from '../relationships/eligibility.ts'
import * as store from './store.ts'
import { isBlocked } from '../chargeback-cases/blocking.ts'
import type { Relationships } from '../relationships/relationships.ts'

export type CreateRequest = OperationRequest<(typeof fiatOrders)['create']>

/** What a card order will be made with. */
export type JudgedCheckout = Readonly<{
  ok: true
  merchantId: string
  integrationId: string
  processor: string
}>

/** The customer is not visible: not this partner's, or revoked. A key that has its answer does not replay it either. */
export const HIDDEN = refuse('resource_not_found')

/**
 * Judges whether a card order may be made: 404 of customer and integration, 403 and 409 of the capability, 409 of a
 * blocked payer, in this order (decisions §1). What the projection would refuse is judged by the relationship's owner.
 */
export const createCheckoutJudge = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  options: Readonly<{ relationships: Relationships; processors: CardProcessors }>,
) => {
  const { relationships, processors } = options
  return async ({ caller: { partnerId }, params: { customerId }, body }: CreateRequest) => {
    if ((await relationships.merchantOf(partnerId, customerId)) === null) return HIDDEN
    const customer = { partnerId, partnerCustomerId: customerId }
    const known = await store.getCheckout(db, { ...customer, integrationId: body.integration_id })
    if (!known) return HIDDEN
    const standing = refuseUnusable(known)
      ? await relationships.refresh(partnerId, customerId, 'payments.fiat_card')
      : known
    const { merchantId, integrationId, processor } = known
    if (standing?.status !== 'active') return HIDDEN
    if (integrationId === null || processor === null) return refuse('resource_not_found')
    const refusal = refuseUnusable(standing)
    if (refusal) return refusal
    const { currencies } = cardProcessorOf(processors, processor).traits
    if (currencies !== null && !currencies.has(body.currency))
      return refuse('invalid_request', [{ field: 'currency', reason: 'invalid_value' }])
    const payer = { ip: body.payer_ip ?? null, email: body.payer_email ?? null }
    if (await isBlocked({ db, vault }, customer, payer)) return refuse('checkout_blocked')
    return { ok: true, merchantId, integrationId, processor } satisfies JudgedCheckout
  }
}
