import type { DepositOfBuyer, PayableOrder } from '@causeway/contracts'
import {
  copyable,
  definitionList,
  EMPTY,
  fiat,
  html,
  linkButton,
  notice,
  page,
  statusTag,
  time,
  type Html,
  type PageBrand,
} from '../design/index.ts'
import { isBeingBought, purchaseOffer, stageOf, type Offer } from './purchase.ts'
import { isFinal, isOpen, stateText } from './states.ts'

/** Reload interval for browsers without JavaScript, in seconds. */
const REFRESH_SECONDS = 15

const NETWORK_NAMES: Readonly<Record<PayableOrder['network'], string>> = {
  BTC: 'Bitcoin',
  LTC: 'Litecoin',
  ETH: 'Ethereum',
  SOL: 'Solana',
  XRP: 'XRP Ledger',
}

/** Seconds until the order expires, at least 0. */
export const secondsLeft = (order: Pick<PayableOrder, 'expiresAt'>, now: Date): number =>
  Math.max(0, Math.ceil((new Date(order.expiresAt).getTime() - now.getTime()) / 1_000))

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Formats seconds as `1:02:03`, as the page's script does. */
const spellDuration = (seconds: number): string =>
  `${Math.floor(seconds / 3_600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`

/** The fiat price, and the service fee that the buyer pays on top of it. */
const priceText = ({ fiatAmount, currency, serviceFee, asset }: PayableOrder): string =>
  serviceFee === undefined
    ? fiat(fiatAmount, currency)
    : `${fiat(fiatAmount, currency)} plus a service fee of ${serviceFee} ${asset}`

/** The locked price of one unit of the asset; null where it is not known. */
const rateText = ({ asset, rate, currency }: PayableOrder): string | null =>
  rate === null ? null : `1 ${asset} = ${rate} ${currency}`

/** Renders the amount due in large letters, with the fiat price. */
const amountDue = (order: PayableOrder): Html => {
  const rate = isOpen(order.status) ? rateText(order) : null
  return html`
    <p class="pay-amount">${isOpen(order.status) ? order.due : order.amount} ${order.asset}</p>
    <p class="hint">
      ${
        order.status === 'underpaid'
          ? `of ${order.amount} ${order.asset} (${priceText(order)})`
          : priceText(order)
      }${rate !== null && `, at ${rate}`}
    </p>
  `
}

/** Renders the time left. An order with an open purchase does not expire, so it has none. */
const countdown = (order: PayableOrder, offer: Offer, now: Date): Html =>
  order.status !== 'pending' || stageOf(offer) === 'unpaid'
    ? EMPTY
    : html`<p>
        Time left:
        <span class="countdown" id="countdown" data-seconds="${secondsLeft(order, now)}"
          >${spellDuration(secondsLeft(order, now))}</span
        >
        <span class="hint">until ${time(order.expiresAt)}</span>
      </p>`

/** Renders address, QR code and wallet link, only while something is to be sent. On a phone the link comes first. */
const howToPay = (order: PayableOrder, offer: Offer, now: Date): Html => {
  if (!isOpen(order.status) || order.toSend === '0' || isBeingBought(offer)) return EMPTY
  const { address, asset, toSend, network } = order
  return html`<section class="sheet" aria-labelledby="how">
    <h2 id="how">How to pay</h2>
    ${countdown(order, offer, now)}
    ${notice(
      'warning',
      `Send ${asset} on ${NETWORK_NAMES[network]} only.`,
      'Another asset, or a transfer on another network, does not arrive here and may be lost.',
    )}
    <div class="pay-ways">
      <p class="actions">${linkButton(order.paymentUri, 'Open in a wallet')}</p>
      <img
        class="qr"
        src="${order.qrImage}"
        alt="QR code for a wallet: ${toSend} ${asset} to the address below"
      />
    </div>
    ${definitionList([
      { term: 'Amount', value: copyable(toSend, 'the amount') },
      { term: 'Asset', value: asset },
      { term: 'Network', value: NETWORK_NAMES[network] },
      { term: 'Address', value: copyable(address, 'the address') },
    ])}
  </section>`
}

/** Renders one deposit: its transaction, its amount and its confirmations. */
const depositItem = (deposit: DepositOfBuyer, { asset }: PayableOrder): Html => {
  const { txId, amount, confirmations, confirmationsNeeded, countedAt, explorerUrl } = deposit
  const progress =
    countedAt === null
      ? `${confirmations} of ${confirmationsNeeded} confirmations`
      : html`arrived ${time(countedAt)}`
  const transaction = html`<code>${txId}</code>`
  return html`<li>
    ${amount} ${asset}: ${progress}<br />
    ${explorerUrl === null ? transaction : html`<a href="${explorerUrl}" rel="noreferrer">${transaction}</a>`}
  </li>`
}

const depositList = (order: PayableOrder): Html =>
  html`<ul>
    ${order.deposits.map((deposit) => depositItem(deposit, order))}
  </ul>`

/** Renders what was paid of an order that is paid: its page is the buyer's receipt. */
const receipt = (order: PayableOrder): Html => {
  const { id, shopName, description, amount, asset, network } = order
  const rate = rateText(order)
  const counted = order.deposits.flatMap(({ countedAt }) => countedAt ?? [])
  return html`<section class="sheet" aria-labelledby="receipt">
    <h2 id="receipt">Receipt</h2>
    ${definitionList([
      ...(shopName === undefined ? [] : [{ term: 'Paid to', value: shopName }]),
      ...(description === undefined ? [] : [{ term: 'For', value: description }]),
      { term: 'Price', value: priceText(order) },
      { term: 'Amount', value: `${amount} ${asset} on ${NETWORK_NAMES[network]}` },
      ...(rate === null ? [] : [{ term: 'Rate', value: rate }]),
      { term: 'Paid', value: time(counted.at(-1) ?? order.createdAt) },
      { term: 'Order', value: html`<code>${id}</code>` },
    ])}
    ${order.deposits.length > 0 && depositList(order)}
  </section>`
}

/** Renders the deposits of an order that is not paid, or not any more. */
const deposits = (order: PayableOrder): Html =>
  order.deposits.length === 0
    ? EMPTY
    : html`<section class="sheet" aria-labelledby="deposits">
        <h2 id="deposits">Your payments</h2>
        ${depositList(order)}
      </section>`

/** Renders the way back to the shop. It is the main action once nothing is to be sent. */
const wayBack = ({ returnUrl, shopName, status }: PayableOrder): Html =>
  returnUrl === undefined
    ? EMPTY
    : html`<p class="actions">
        ${linkButton(returnUrl, `Back to ${shopName ?? 'the shop'}`, isOpen(status) ? 'quiet' : 'primary')}
      </p>`

const titleOf = (order: PayableOrder, offer: Offer): string =>
  `${stateText(order, offer).tag} · Payment of ${order.amount} ${order.asset}`

/** Returns a text that changes with everything that {@link orderPart} shows, apart from the time. */
export const partVersion = (order: PayableOrder, offer: Offer): string =>
  [
    order.version,
    ...order.deposits.map(({ confirmations }) => confirmations),
    ...(offer === null || offer.purchase === null ? [] : [offer.purchase.status]),
  ].join(':')

/** Renders the part of the page that changes; each change replaces it as a whole. */
export const orderPart = (order: PayableOrder, offer: Offer, now: Date): Html => {
  const text = stateText(order, offer)
  return html`<div
    data-status="${order.status}"
    data-title="${titleOf(order, offer)}"
    data-news="${text.title}"
    data-version="${partVersion(order, offer)}"
    data-final="${String(isFinal(order.status))}"
  >
    <section class="sheet" aria-labelledby="state">
      <p>${statusTag(text.tone, text.tag)}</p>
      ${amountDue(order)}
      <h2 id="state">${text.title}</h2>
      <p>${text.advice}</p>
    </section>
    ${howToPay(order, offer, now)} ${purchaseOffer(order, offer)}
    ${order.status === 'paid' ? receipt(order) : deposits(order)} ${wayBack(order)}
  </div>`
}

/** Renders the whole page. Without JavaScript it reloads until the state is final. */
export const paymentPage = (order: PayableOrder, offer: Offer, brand: PageBrand, now: Date): Html => {
  const shopName = order.shopName ?? brand?.name ?? null
  return page({
    title: titleOf(order, offer),
    brand: shopName ?? 'Payment',
    shown: brand,
    width: 'narrow',
    scripts: ['payment-page.js'],
    ...(isFinal(order.status) ? {} : { refreshSeconds: REFRESH_SECONDS }),
    main: html`<h1>${shopName === null ? 'Pay with crypto' : `Pay ${shopName} with crypto`}</h1>
      ${order.description !== undefined && html`<p>${order.description}</p>`}
      <div id="order" data-address="/pay/${order.id}">${orderPart(order, offer, now)}</div>
      <p class="hint">This page updates automatically. Order <code>${order.id}</code></p>`,
  })
}

/** Renders the page for an unknown order. */
export const unknownPage = (): Html =>
  page({
    title: 'Payment not found',
    brand: 'Payment',
    width: 'narrow',
    main: html`<h1>Payment not found</h1>
      ${notice('warning', 'No payment exists at this address.', 'Check the link, or ask the seller for a new one.')}`,
  })
