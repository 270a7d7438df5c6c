import type { DepositOfBuyer, PayableOrder } from '@causeway/contracts'
import {
  copyable,
  definitionList,
  EMPTY,
  html,
  inLanguage,
  linkButton,
  notice,
  page,
  statusTag,
  type Html,
  type PageBrand,
} from '../design/index.ts'
import type { Language } from '../languages/language.ts'
import { NETWORK_NAMES, priceText, rateText, withAsset } from './amounts.ts'
import { isBeingBought, purchaseOffer, stageOf, type Offer } from './purchase.ts'
import { isFinal, isOpen, stateText } from './states.ts'

/** Reload interval for browsers without JavaScript, in seconds. */
export const REFRESH_SECONDS = 15

/** Seconds until the order expires, at least 0. */
export const secondsLeft = (order: Pick<PayableOrder, 'expiresAt'>, now: Date): number =>
  Math.max(0, Math.ceil((new Date(order.expiresAt).getTime() - now.getTime()) / 1_000))

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Formats seconds as `1:02:03`, as the page's script does. */
const spellDuration = (seconds: number): string =>
  `${Math.floor(seconds / 3_600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`

/** An amount, isolated from the direction of the text around it. */
const isolated = (amount: string): Html => html`<bdi dir="ltr">${amount}</bdi>`

/** Renders the amount due in large letters, with the fiat price. */
const amountDue = (order: PayableOrder, language: Language): Html => {
  const { text, decimal } = language
  const isDue = isOpen(order.status)
  const amount = withAsset(order.amount, order, decimal)
  const price = priceText(order, language)
  const priced = order.status === 'underpaid' ? text('pay.due', { amount, price }) : price
  const rate = isDue ? rateText(order, language) : null
  return html`
    <p class="pay-amount">${isolated(isDue ? withAsset(order.due, order, decimal) : amount)}</p>
    <p class="hint">${rate === null ? priced : text('pay.atRate', { price: priced, rate })}</p>
  `
}

/** Renders the time left. An order with an open purchase does not expire, so it has none. */
const countdown = (order: PayableOrder, offer: Offer, { text, rich, time }: Language, now: Date): Html =>
  order.status !== 'pending' || stageOf(offer) === 'unpaid'
    ? EMPTY
    : html`<p>
        ${text('pay.timeLeft')}
        <span class="countdown" id="countdown" dir="ltr" data-seconds="${secondsLeft(order, now)}"
          >${spellDuration(secondsLeft(order, now))}</span
        >
        <span class="hint">${rich('pay.until', { time: time(order.expiresAt) })}</span>
      </p>`

/** Renders address, QR code and wallet link, only while something is to be sent. On a phone the link comes first. */
const howToPay = (order: PayableOrder, offer: Offer, language: Language, now: Date): Html => {
  if (!isOpen(order.status) || order.toSend === '0' || isBeingBought(offer)) return EMPTY
  const { address, asset, toSend } = order
  const { text, decimal } = language
  const network = NETWORK_NAMES[order.network]
  return html`<section class="sheet" aria-labelledby="how">
    <h2 id="how">${text('pay.how')}</h2>
    ${countdown(order, offer, language, now)}
    ${notice('warning', text('pay.network.only', { asset, network }), text('pay.network.why'))}
    <div class="pay-ways">
      <p class="actions">${linkButton(order.paymentUri, text('pay.openWallet'))}</p>
      <img
        class="qr"
        src="${order.qrImage}"
        alt="${text('pay.qr', { amount: withAsset(toSend, order, decimal) })}"
      />
    </div>
    ${definitionList([
      // As wallets read it: with a decimal point in every language.
      { term: text('pay.amount'), value: copyable(toSend, text('pay.copyAmount'), language) },
      { term: text('pay.asset'), value: isolated(asset) },
      { term: text('pay.network'), value: isolated(network) },
      { term: text('pay.address'), value: copyable(address, text('pay.copyAddress'), language) },
    ])}
  </section>`
}

/** Renders one deposit: its transaction, its amount and its confirmations. */
const depositItem = (
  deposit: DepositOfBuyer,
  order: PayableOrder,
  { rich, decimal, time }: Language,
): Html => {
  const { txId, confirmations, confirmationsNeeded: needed, countedAt, explorerUrl } = deposit
  const amount = isolated(withAsset(deposit.amount, order, decimal))
  const progress =
    countedAt === null
      ? rich('pay.deposit.confirming', { amount, confirmations, needed })
      : rich('pay.deposit.arrived', { amount, time: time(countedAt) })
  const transaction = html`<code dir="ltr">${txId}</code>`
  return html`<li>
    ${progress}<br />
    ${explorerUrl === null ? transaction : html`<a href="${explorerUrl}" rel="noreferrer">${transaction}</a>`}
  </li>`
}

const depositList = (order: PayableOrder, language: Language): Html =>
  html`<ul>
    ${order.deposits.map((deposit) => depositItem(deposit, order, language))}
  </ul>`

/** Renders what was paid of an order that is paid: its page is the buyer's receipt. */
const receipt = (order: PayableOrder, language: Language): Html => {
  const { id, shopName, description } = order
  const { text, decimal, time } = language
  const rate = rateText(order, language)
  const counted = order.deposits.flatMap(({ countedAt }) => countedAt ?? [])
  const amount = withAsset(order.amount, order, decimal)
  return html`<section class="sheet" aria-labelledby="receipt">
    <h2 id="receipt">${text('pay.receipt')}</h2>
    ${definitionList([
      ...(shopName === undefined ? [] : [{ term: text('pay.paidTo'), value: html`<bdi>${shopName}</bdi>` }]),
      ...(description === undefined
        ? []
        : [{ term: text('pay.for'), value: html`<bdi>${description}</bdi>` }]),
      { term: text('pay.price'), value: priceText(order, language) },
      {
        term: text('pay.amount'),
        value: text('pay.amountOn', { amount, network: NETWORK_NAMES[order.network] }),
      },
      ...(rate === null ? [] : [{ term: text('pay.rate'), value: isolated(rate) }]),
      { term: text('pay.paidAt'), value: time(counted.at(-1) ?? order.createdAt) },
      { term: text('pay.order'), value: html`<code dir="ltr">${id}</code>` },
    ])}
    ${order.deposits.length > 0 && depositList(order, language)}
  </section>`
}

/** Renders the deposits of an order that is not paid, or not any more. */
const deposits = (order: PayableOrder, language: Language): Html =>
  order.deposits.length === 0
    ? EMPTY
    : html`<section class="sheet" aria-labelledby="deposits">
        <h2 id="deposits">${language.text('pay.deposits')}</h2>
        ${depositList(order, language)}
      </section>`

/** Renders the way back to the shop. It is the main action once nothing is to be sent. */
const wayBack = ({ returnUrl, shopName, status }: PayableOrder, { text }: Language): Html =>
  returnUrl === undefined
    ? EMPTY
    : html`<p class="actions">
        ${linkButton(
          returnUrl,
          shopName === undefined ? text('pay.back') : text('pay.backTo', { shop: shopName }),
          isOpen(status) ? 'quiet' : 'primary',
        )}
      </p>`

const titleOf = (order: PayableOrder, offer: Offer, language: Language): string =>
  language.text('pay.title', {
    state: stateText(order, offer, language).tag,
    amount: withAsset(order.amount, order, language.decimal),
  })

/** Returns a text that changes with everything that {@link orderPart} shows, apart from the time. */
export const partVersion = (order: PayableOrder, offer: Offer): string =>
  [
    order.version,
    ...order.deposits.map(({ confirmations }) => confirmations),
    ...(offer === null || offer.purchase === null ? [] : [offer.purchase.status]),
  ].join(':')

/** Renders the part of the page that changes; each change replaces it as a whole. */
export const orderPart = (order: PayableOrder, offer: Offer, language: Language, now: Date): Html => {
  const state = stateText(order, offer, language)
  return html`<div
    data-status="${order.status}"
    data-title="${titleOf(order, offer, language)}"
    data-news="${state.title}"
    data-version="${partVersion(order, offer)}"
    data-final="${String(isFinal(order.status))}"
  >
    <section class="sheet" aria-labelledby="state">
      <p>${statusTag(state.tone, state.tag)}</p>
      ${amountDue(order, language)}
      <h2 id="state">${state.title}</h2>
      <p>${state.advice}</p>
    </section>
    ${howToPay(order, offer, language, now)} ${purchaseOffer(order, offer, language)}
    ${order.status === 'paid' ? receipt(order, language) : deposits(order, language)}
    ${wayBack(order, language)}
  </div>`
}

/** The URL of an order's page without its language. */
export const pathOf = (orderId: string): string => `/pay/${orderId}`

/** Renders the whole page. Without JavaScript it reloads until the state is final. */
export const paymentPage = (
  order: PayableOrder,
  offer: Offer,
  brand: PageBrand,
  language: Language,
  now: Date,
): Html => {
  const shop = order.shopName ?? brand?.name ?? null
  const { text, tag } = language
  const url = pathOf(order.id)
  return page({
    title: titleOf(order, offer, language),
    brand: shop ?? text('pay.brand'),
    shown: brand,
    width: 'narrow',
    language,
    url,
    scripts: ['payment-page.js'],
    ...(isFinal(order.status) ? {} : { refreshSeconds: REFRESH_SECONDS }),
    main: html`<h1>${shop === null ? text('pay.heading') : text('pay.headingShop', { shop })}</h1>
      ${order.description !== undefined && html`<p><bdi>${order.description}</bdi></p>`}
      <div
        id="order"
        data-state="${inLanguage(`${url}/state`, tag)}"
        data-events="${inLanguage(`${url}/events`, tag)}"
      >
        ${orderPart(order, offer, language, now)}
      </div>
      <p class="hint">${text('pay.updates')} ${text('pay.order')} <code dir="ltr">${order.id}</code></p>`,
  })
}

/** Renders the page for an unknown order. */
export const unknownPage = (orderId: string, language: Language): Html => {
  const { text } = language
  return page({
    title: text('pay.unknown'),
    brand: text('pay.brand'),
    width: 'narrow',
    language,
    url: pathOf(orderId),
    main: html`<h1>${text('pay.unknown')}</h1>
      ${notice('warning', text('pay.unknown.what'), text('pay.unknown.advice'))}`,
  })
}
