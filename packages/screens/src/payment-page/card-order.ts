import { fiatOrders, formatMinorUnits, type PayableFiatOrder } from '@causeway/contracts'
import {
  definitionList,
  EMPTY,
  html,
  linkButton,
  LIVE_SCRIPTS,
  livePart,
  page,
  statusTag,
  type Html,
  type PageBrand,
} from '../design/index.ts'
import { loadLanguage, type Language } from '../languages/language.ts'
import type { Answer, ScreenRequest } from '../screen.ts'
import type { StateText } from './states.ts'
import { pathOf, REFRESH_SECONDS, unknownPage } from './view.ts'

/** Ten minutes: the buyer comes back from the processor before its notice of the payment arrives. */
const MOST_LOOKS = 200

/** Formats an amount of an order. @param cents in the currency's minor unit */
const money = (cents: number, { currency }: PayableFiatOrder, { fiat }: Language): string =>
  fiat(formatMinorUnits(cents, currency), currency)

const stateText = (order: PayableFiatOrder, language: Language): StateText => {
  const { text } = language
  const refunded = () =>
    text('pay.card.refunded.advice', { amount: money(order.refunded_cents, order, language) })
  switch (order.status) {
    case 'pending':
      return {
        tone: 'neutral',
        tag: text('pay.tag.pending'),
        title: text('pay.pending'),
        advice: text('pay.card.pending.advice'),
      }
    case 'paid':
    case 'completed':
      return order.refunded_cents > 0
        ? {
            tone: 'good',
            tag: text('pay.tag.paid'),
            title: text('pay.card.partRefunded'),
            advice: refunded(),
          }
        : {
            tone: 'good',
            tag: text('pay.tag.paid'),
            title: text('pay.paid'),
            advice: text('pay.paid.advice'),
          }
    case 'cancelled':
    case 'expired':
      return {
        tone: 'bad',
        tag: text(`pay.tag.${order.status}`),
        title: text(`pay.${order.status}`),
        advice: text('pay.card.notCharged'),
      }
    case 'refunded':
      return {
        tone: 'neutral',
        tag: text('pay.tag.refunded'),
        title: text('pay.refunded'),
        advice: refunded(),
      }
    case 'chargeback':
      return {
        tone: 'warning',
        tag: text('pay.tag.disputed'),
        title: text('pay.card.disputed'),
        advice: text('pay.card.disputed.advice'),
      }
  }
}

/** Renders what was paid, to whom and for what, and what was refunded since: the page is the buyer's receipt. */
const receipt = (order: PayableFiatOrder, language: Language): Html => {
  const { merchant_name, description, total_cents, service_fee_cents: fee, refunded_cents: refunded } = order
  const { text, time } = language
  const amount = (cents: number) => html`<bdi dir="ltr">${money(cents, order, language)}</bdi>`
  return order.completed_at === null
    ? EMPTY
    : html`<section class="sheet" aria-labelledby="receipt">
        <h2 id="receipt">${text('pay.receipt')}</h2>
        ${definitionList([
          { term: text('pay.paidTo'), value: html`<bdi>${merchant_name}</bdi>` },
          { term: text('pay.for'), value: html`<bdi>${description}</bdi>` },
          ...(fee === 0
            ? []
            : [
                { term: text('pay.price'), value: amount(total_cents - fee) },
                { term: text('pay.card.fee'), value: amount(fee) },
              ]),
          { term: text('pay.card.total'), value: amount(total_cents) },
          ...(refunded === 0 ? [] : [{ term: text('pay.tag.refunded'), value: amount(refunded) }]),
          { term: text('pay.paidAt'), value: time(order.completed_at) },
          { term: text('pay.order'), value: html`<code dir="ltr">${order.order_id}</code>` },
        ])}
      </section>`
}

/** Renders the way to the processor while the order can be paid, and the way back to the shop. */
const ways = (order: PayableFiatOrder, { text }: Language): Html => {
  const { order_url, return_url, merchant_name: shop } = order
  const isPending = order.status === 'pending'
  return html`<p class="actions">
    ${isPending && linkButton(order_url, text('pay.card.button'))}
    ${return_url !== null && linkButton(return_url, text('pay.backTo', { shop }), isPending ? 'quiet' : 'primary')}
  </p>`
}

/** Renders the page of a card order. Without JavaScript it reloads while the order can be paid. */
export const cardOrderPage = (order: PayableFiatOrder, brand: PageBrand, language: Language): Html => {
  const { merchant_name: shop, description, order_id } = order
  const { text } = language
  const total = money(order.total_cents, order, language)
  const state = stateText(order, language)
  const isPending = order.status === 'pending'
  return page({
    title: text('pay.title', { state: state.tag, amount: total }),
    brand: shop,
    shown: brand,
    width: 'narrow',
    language,
    url: pathOf(order_id),
    scripts: LIVE_SCRIPTS,
    ...(isPending && { refreshSeconds: REFRESH_SECONDS }),
    main: html`<h1>${text('pay.card.heading', { shop })}</h1>
      <p><bdi>${description}</bdi></p>
      ${livePart(
        { id: 'order', isUnderWay: isPending, mostLooks: MOST_LOOKS },
        html`<section class="sheet" aria-labelledby="state" role="status">
            <p>${statusTag(state.tone, state.tag)}</p>
            <p class="pay-amount"><bdi dir="ltr">${total}</bdi></p>
            <h2 id="state">${state.title}</h2>
            <p>${state.advice}</p>
          </section>
          ${receipt(order, language)} ${ways(order, language)}`,
      )}`,
  })
}

/** Answers the page of a card order at the path of payment pages. */
export const showCardOrder = async (
  request: ScreenRequest,
  orderId: string,
  findBrand: (partnerCustomerId: string) => Promise<PageBrand>,
): Promise<Answer> => {
  const [reply, language] = await Promise.all([
    request.ask(fiatOrders.getByBuyer, { params: { orderId } }),
    loadLanguage(request.language.tag),
  ])
  if (!reply.ok)
    return reply.code === 'resource_not_found'
      ? { kind: 'page', status: 404, html: unknownPage(orderId, language) }
      : { kind: 'error', code: reply.code }
  const { order, branded_by: brandedBy } = reply.value
  return { kind: 'page', status: 200, html: cardOrderPage(order, await findBrand(brandedBy), language) }
}
