import { onrampOrders, type PayableOrder } from '@causeway/contracts'
import { form, html, linkButton, submit, EMPTY, type Html } from '../design/index.ts'
import type { Ask, Reply } from '../screen.ts'

/** Onramp offer for an order; null if no provider sells the asset or nothing is due. */
export type Offer = Readonly<{ checkoutUrl: string | null }> | null

/** True only while no payment has arrived or is in flight. */
const isOffered = ({ status, unconfirmed }: PayableOrder): boolean =>
  status === 'pending' && unconfirmed === '0'

/** Reads the onramp offer. On error the page is shown without it, because the buyer can still pay from a wallet. */
export const readOffer = async (ask: Ask, order: PayableOrder): Promise<Offer> => {
  if (!isOffered(order)) return null
  const reply: Reply<(typeof onrampOrders)['getByBuyer']> = await ask(onrampOrders.getByBuyer, {
    params: { orderId: order.id },
  })
  if (!reply.ok || !reply.value.available) return null
  return { checkoutUrl: reply.value.purchase?.checkoutUrl ?? null }
}

const button = (order: PayableOrder, checkoutUrl: string | null): Html =>
  checkoutUrl === null
    ? form({ action: `/pay/${order.id}/purchase` }, submit(`Buy with ${order.currency}`, 'quiet'))
    : linkButton(checkoutUrl, 'Continue your purchase', 'quiet')

/** Renders the offer for buyers without crypto. The purchase is created first, then linked to on the provider's site. */
export const purchaseOffer = (order: PayableOrder, offer: Offer): Html =>
  offer === null
    ? EMPTY
    : html`<section class="sheet" aria-labelledby="buy">
        <h2 id="buy">No ${order.asset} yet?</h2>
        <p>
          ${
            offer.checkoutUrl === null
              ? `A provider sells you ${order.due} ${order.asset} and sends it to the address above. It verifies your identity and charges a fee.`
              : 'Your purchase at the provider is in progress. This payment stays open for it, and this page shows when it arrives.'
          }
        </p>
        ${button(order, offer.checkoutUrl)}
      </section>`
