import { onrampOrders, type OnrampStatus, type PayableOrder } from '@causeway/contracts'
import { form, html, linkButton, submit, EMPTY, type Html } from '../design/index.ts'
import type { Ask, Reply } from '../screen.ts'

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

const FAILED: Readonly<Partial<Record<OnrampStatus, string>>> = {
  declined: 'The provider declined your purchase',
  cancelled: 'Your purchase was cancelled',
  expired: 'Your purchase expired before the provider was paid',
  refunded: 'The provider refunded your purchase',
}

/** Says why an offer's purchase has failed; null if it has not. */
export const failureOf = (offer: Offer): string | null =>
  offer === null || offer.purchase === null ? null : (FAILED[offer.purchase.status] ?? null)

const sells = ({ due, asset }: PayableOrder): string =>
  `A provider sells you ${due} ${asset} and sends it to the address above. It verifies your identity and charges a fee.`

const textOf = (order: PayableOrder, offer: Offer): string => {
  switch (stageOf(offer)) {
    case null:
      return sells(order)
    case 'unpaid':
      return 'You have started a purchase at the provider and not paid for it yet. This payment stays open for it.'
    case 'verifying':
      return 'The provider needs more information from you before it sends the crypto. Continue there.'
    case 'processing':
      return 'The provider sends the crypto to this payment. You can look at your purchase there.'
    case 'failed':
      return `${failureOf(offer) ?? ''}. It sends nothing for this payment. You can pay from a wallet, or try again: ${sells(order)}`
  }
}

/** Renders the offer for buyers without crypto. The purchase is created first, then linked to on the provider's site. */
export const purchaseOffer = (order: PayableOrder, offer: Offer): Html => {
  if (offer === null || order.status !== 'pending') return EMPTY
  const { canBuy, purchase } = offer
  const isNew = purchase === null || stageOf(offer) === 'failed'
  if (isNew && !canBuy) return EMPTY
  return html`<section class="sheet" aria-labelledby="buy">
    <h2 id="buy">${purchase === null ? `No ${order.asset} yet?` : 'Your purchase'}</h2>
    <p>${textOf(order, offer)}</p>
    ${
      isNew
        ? form({ action: `/pay/${order.id}/purchase` }, submit(`Buy with ${order.currency}`, 'quiet'))
        : linkButton(purchase.checkoutUrl, 'Continue your purchase', 'quiet')
    }
  </section>`
}
