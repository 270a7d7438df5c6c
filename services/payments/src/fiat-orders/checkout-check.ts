import { refuse, type ServiceContext, type OperationRequest } from '@causeway/chassis'
import { MAX_AMOUNT_CENTS, type fiatOrders } from '@causeway/contracts'
import { cardProcessorOf, type CardProcessors } from '@causeway/rails/cards'
import { isBlocked } from '../chargeback-cases/blocking.ts'
import { refuseUnusable } from '../relationships/eligibility.ts'
import type { Relationships } from '../relationships/relationships.ts'
import { orderTerms, type OrderTerms } from '../price-plans/rules.ts'
import { refuseOwnShare, refuseReceivers, refuseShares } from './requested-shares.ts'
import { splitPrice, type FiatAmounts } from './service-fee.ts'
import * as store from './store.ts'

export type CreateRequest = OperationRequest<(typeof fiatOrders)['create']>

/** The values for a card order whose checks have passed. */
export type AllowedCheckout = Readonly<{
  ok: true
  merchantId: string
  integrationId: string
  processor: string
  /** By the merchant's price plan; the payer as the request says. */
  terms: OrderTerms
  amounts: FiatAmounts
}>

const AMOUNT_EXPECTED = `a total, fee included, of at most ${MAX_AMOUNT_CENTS}, and a fee of at most the price`

/** Refuses a fee above the price, and a total, fee included, above the limit of an amount (decisions §32 and §52). */
const refuseAmounts = (priceCents: number, { serviceFeeCents, totalCents }: FiatAmounts) =>
  serviceFeeCents > priceCents || totalCents > MAX_AMOUNT_CENTS
    ? refuse('invalid_request', [{ field: 'amount_cents', reason: 'too_big', expected: AMOUNT_EXPECTED }])
    : null

/** The customer is not this partner's, or revoked. Then not even a stored reply is replayed. */
export const NOT_VISIBLE = refuse('resource_not_found')

/**
 * Checks whether a card order may be created: 404 of customer, integration and receivers of splits, 403 and 409 of the
 * capability, 400 of amounts, 409 of a blocked payer, in this order (decisions §1). The projection may lag, so onboarding decides what it would refuse.
 */
export const createCheckoutCheck = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  options: Readonly<{ relationships: Relationships; processors: CardProcessors; serviceFeePercent: number }>,
) => {
  const { relationships, processors, serviceFeePercent } = options
  return async (request: CreateRequest) => {
    const {
      caller: { partnerId },
      params: { customerId },
      body,
      now,
    } = request
    const ownShare = refuseOwnShare(request)
    if (ownShare) return ownShare
    if ((await relationships.merchantOf(partnerId, customerId)) === null) return NOT_VISIBLE
    const customer = { partnerId, partnerCustomerId: customerId }
    const known = await store.getCheckout(db, { ...customer, integrationId: body.integration_id, now })
    if (!known) return NOT_VISIBLE
    const eligibility = refuseUnusable(known)
      ? await relationships.refresh(partnerId, customerId, 'payments.fiat_card')
      : known
    const { merchantId, integrationId, processor } = known
    if (eligibility?.status !== 'active') return NOT_VISIBLE
    if (integrationId === null || processor === null) return refuse('resource_not_found')
    const refusal = (await refuseReceivers({ db, relationships }, request)) ?? refuseUnusable(eligibility)
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
    const { fee, ...applied } = orderTerms(known, serviceFeePercent, {
      rail: 'card',
      kind: body.kind ?? 'order',
      currency: body.currency,
    })
    const terms = { ...applied, fee: { ...fee, payer: body.service_fee_payer ?? fee.payer } }
    const amounts = splitPrice(body.amount_cents, fee, terms.fee.payer, step)
    const refused =
      refuseAmounts(body.amount_cents, amounts) ?? refuseShares(request, amounts, terms.partnerFeeMaxPercent)
    if (refused) return refused
    const payer = { ip: body.payer_ip ?? null, email: body.payer_email ?? null }
    if (await isBlocked({ db, vault }, customer, payer)) return refuse('checkout_blocked')
    return { ok: true, merchantId, integrationId, processor, terms, amounts } satisfies AllowedCheckout
  }
}

export type CheckoutRefusal = Exclude<
  Awaited<ReturnType<ReturnType<typeof createCheckoutCheck>>>,
  { ok: true }
>
