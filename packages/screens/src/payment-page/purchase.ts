import { onrampOrders, type PayableOrder } from '@causeway/contracts'
import { form, html, linkButton, submit, EMPTY, type Html } from '../design/index.ts'
import type { Ask, Reply } from '../screen.ts'

/** Where the buyer of an order can buy the crypto; null where nobody sells it, or nothing is due any more. */
export type Offer = Readonly<{ checkoutUrl: string | null }> | null

/** Whether the crypto can be bought for an order: only while nothing has arrived and nothing is under way. */
const isOffered = ({ status, unconfirmed }: PayableOrder): boolean =>
  status === 'pending' && unconfirmed === '0'

/** Asks the onramp. Where it does not answer, the page goes on without the offer: crypto can still be sent. */
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
    : linkButton(checkoutUrl, 'Go on with your purchase', 'quiet')

/** For buyers without crypto. The provider is a site of its own: a purchase is opened first, then linked to. */
export const purchaseOffer = (order: PayableOrder, offer: Offer): Html =>
  offer === null
    ? EMPTY
    : html`<section class="sheet" aria-labelledby="buy">
        <h2 id="buy">No ${order.asset} yet?</h2>
        <p>
          ${
            offer.checkoutUrl === null
              ? `A provider sells you ${order.due} ${order.asset} and sends it to the address above. It asks who you are, and takes a fee.`
              : 'Your purchase is open at the provider. This payment waits for it, and this page says when it has arrived.'
          }
        </p>
        ${button(order, offer.checkoutUrl)}
      </section>`
