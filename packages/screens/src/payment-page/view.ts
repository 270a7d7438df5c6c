import type { PayableOrder } from '@causeway/contracts'
import {
  copyable,
  definitionList,
  EMPTY,
  fiat,
  html,
  linkButton,
  notice,
  page,
  popover,
  statusTag,
  time,
  type Html,
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

/** Renders the amount due in large letters, with the fiat price. */
const amountDue = (order: PayableOrder): Html => html`
  <p class="pay-amount">${isOpen(order.status) ? order.due : order.amount} ${order.asset}</p>
  <p class="hint">
    ${
      order.status === 'underpaid'
        ? `of ${order.amount} ${order.asset} (${priceText(order)})`
        : priceText(order)
    }
  </p>
`

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

/** Renders address, QR code and wallet link, only while something is to be sent. */
const howToPay = (order: PayableOrder, offer: Offer, now: Date): Html => {
  if (!isOpen(order.status) || order.toSend === '0' || isBeingBought(offer)) return EMPTY
  const { address, asset, toSend, network } = order
  return html`<section class="sheet" aria-labelledby="how">
    <h2 id="how">How to pay</h2>
    ${countdown(order, offer, now)}
    <img
      class="qr"
      src="${order.qrImage}"
      alt="QR code for a wallet: ${toSend} ${asset} to the address below"
    />
    <p class="actions">
      ${linkButton(order.paymentUri, 'Open in a wallet')}
      ${popover(
        'help-network',
        'Which network?',
        html`<p>
          Send ${asset} on ${NETWORK_NAMES[network]} only. Funds sent on a different network do not arrive
          here and may be lost.
        </p>`,
      )}
    </p>
    ${definitionList([
      { term: 'Amount', value: copyable(toSend, 'the amount') },
      { term: 'Asset', value: asset },
      { term: 'Network', value: NETWORK_NAMES[network] },
      { term: 'Address', value: copyable(address, 'the address') },
    ])}
  </section>`
}

const titleOf = (order: PayableOrder, offer: Offer): string =>
  `${stateText(order, offer).tag} · Payment of ${order.amount} ${order.asset}`

/** Returns a text that changes with everything that {@link orderPart} shows, apart from the time. */
export const partVersion = (order: PayableOrder, offer: Offer): string =>
  offer === null || offer.purchase === null ? order.version : `${order.version}:${offer.purchase.status}`

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
  </div>`
}

/** Renders the whole page. Without JavaScript it reloads until the state is final. */
export const paymentPage = (order: PayableOrder, offer: Offer, now: Date): Html =>
  page({
    title: titleOf(order, offer),
    brand: 'Payment',
    width: 'narrow',
    scripts: ['payment-page.js'],
    ...(isFinal(order.status) ? {} : { refreshSeconds: REFRESH_SECONDS }),
    main: html`<h1>Pay with crypto</h1>
      <div id="order" data-address="/pay/${order.id}">${orderPart(order, offer, now)}</div>
      <p class="hint">This page updates automatically. Order <code>${order.id}</code></p>`,
  })

/** Renders the page for an unknown order. */
export const unknownPage = (): Html =>
  page({
    title: 'Payment not found',
    brand: 'Payment',
    width: 'narrow',
    main: html`<h1>Payment not found</h1>
      ${notice('warning', 'No payment exists at this address.', 'Check the link, or ask the seller for a new one.')}`,
  })
