import { onrampOrders, type OnrampStatus, type PayableOrder } from '@causeway/contracts'
import { form, html, inLanguage, linkButton, submit, EMPTY, type Html } from '../design/index.ts'
import type { Language, MessageId } from '../languages/language.ts'
import type { Ask, Reply } from '../screen.ts'
import { withAsset } from './amounts.ts'

/** The newest purchase of an order at an onramp provider. */
export type BuyersPurchase = Readonly<{ checkoutUrl: string; status: OnrampStatus }>

/** Onramp offer for an order and its newest purchase; null if there is neither, or if nothing can be bought any more. */
export type Offer = Readonly<{ canBuy: boolean; purchase: BuyersPurchase | null }> | null

/**
 * Meaning of a purchase's status for the buyer. `unpaid`: the buyer has not paid the provider. `processing`: the provider
 * has the buyer's money, or has sent the crypto. `verifying`: the provider needs something from the buyer first. `failed`:
 * it will send nothing.
 */
export type PurchaseStage = 'unpaid' | 'processing' | 'verifying' | 'failed'

const STAGES: Readonly<Record<OnrampStatus, PurchaseStage>> = {
  pendingPayment: 'unpaid',
  waitingPayment: 'unpaid',
  paymentReceived: 'processing',
  extraVerification: 'verifying',
  inProgress: 'processing',
  coinTransferred: 'processing',
  cryptoTransferred: 'processing',
  complete: 'processing',
  completed: 'processing',
  cancelled: 'failed',
  declined: 'failed',
  expired: 'failed',
  refunded: 'failed',
}

/** Returns the stage of an offer's purchase; null without one. */
export const stageOf = (offer: Offer): PurchaseStage | null =>
  offer === null || offer.purchase === null ? null : STAGES[offer.purchase.status]

/** True while the buyer must not pay a second time: the provider has been paid. */
export const isBeingBought = (offer: Offer): boolean => {
  const stage = stageOf(offer)
  return stage === 'processing' || stage === 'verifying'
}

/** True while no payment has arrived or is in flight. A failed purchase cancels its order (decisions §13). */
const mayHavePurchase = ({ status, unconfirmed }: PayableOrder): boolean =>
  (status === 'pending' || status === 'cancelled') && unconfirmed === '0'

/** Reads the onramp offer. On error the page is shown without it, because the buyer can still pay from a wallet. */
export const readOffer = async (ask: Ask, order: PayableOrder): Promise<Offer> => {
  if (!mayHavePurchase(order)) return null
  const reply: Reply<(typeof onrampOrders)['getByBuyer']> = await ask(onrampOrders.getByBuyer, {
    params: { orderId: order.id },
  })
  if (!reply.ok) return null
  const { available: canBuy, purchase } = reply.value
  return canBuy || purchase !== null ? { canBuy, purchase } : null
}

const FAILED: Readonly<Partial<Record<OnrampStatus, MessageId>>> = {
  declined: 'pay.failed.declined',
  cancelled: 'pay.failed.cancelled',
  expired: 'pay.failed.expired',
  refunded: 'pay.failed.refunded',
}

/** Says why an offer's purchase has failed; null if it has not. */
export const failureOf = (offer: Offer, { text }: Language): string | null => {
  const id = offer === null || offer.purchase === null ? undefined : FAILED[offer.purchase.status]
  return id === undefined ? null : text(id)
}

const textsOf = (order: PayableOrder, offer: Offer, language: Language): readonly string[] => {
  const { text, decimal } = language
  const sells = text('pay.buy.sells', { due: withAsset(order.due, order, decimal) })
  const stage = stageOf(offer)
  if (stage === null) return [sells]
  return stage === 'failed'
    ? [text('pay.buy.failed', { failure: failureOf(offer, language) ?? '' }), sells]
    : [text(`pay.buy.${stage}`)]
}

/** Renders the offer for buyers without crypto. The purchase is created first, then linked to on the provider's site. */
export const purchaseOffer = (order: PayableOrder, offer: Offer, language: Language): Html => {
  if (offer === null || order.status !== 'pending') return EMPTY
  const { canBuy, purchase } = offer
  const { asset, currency } = order
  const { text, tag } = language
  const isNew = purchase === null || stageOf(offer) === 'failed'
  if (isNew && !canBuy) return EMPTY
  return html`<section class="sheet" aria-labelledby="buy">
    <h2 id="buy">${purchase === null ? text('pay.buy', { asset }) : text('pay.buy.yours')}</h2>
    ${textsOf(order, offer, language).map((paragraph) => html`<p>${paragraph}</p>`)}
    ${
      isNew
        ? form(
            { action: inLanguage(`/pay/${order.id}/purchase`, tag) },
            submit(text('pay.buy.button', { currency }), 'quiet'),
          )
        : linkButton(purchase.checkoutUrl, text('pay.buy.continue'), 'quiet')
    }
  </section>`
}
