import {
  definitionList,
  form,
  html,
  linkButton,
  notice,
  page,
  statusTag,
  submit,
  type Html,
  type Tone,
} from '@causeway/screens/design'
import type { OnrampStatus } from '@causeway/contracts'
import type { OnrampRequest } from './request.ts'

/** Actions of a payer on the page, with their buttons. */
export const ACTIONS = {
  pay: 'Pay',
  verify: 'Request more documents',
  decline: 'Be declined',
  cancel: 'Cancel',
} as const
export type Action = keyof typeof ACTIONS

type StatusText = readonly [tone: Tone, text: string]

const OPEN: StatusText = ['neutral', 'The provider waits for your payment.']
const PAID: StatusText = ['good', 'The provider has your money, and sends the crypto.']
const FAILED: StatusText = ['bad', 'Nothing was charged.']

const TEXTS: Readonly<Record<OnrampStatus, StatusText>> = {
  pendingPayment: OPEN,
  waitingPayment: OPEN,
  paymentReceived: PAID,
  extraVerification: ['warning', 'The provider asks for more documents before it continues.'],
  inProgress: PAID,
  coinTransferred: PAID,
  cryptoTransferred: PAID,
  complete: ['good', 'The crypto was sent. You can close this page.'],
  completed: ['good', 'The crypto was sent. You can close this page.'],
  cancelled: FAILED,
  declined: FAILED,
  expired: FAILED,
  refunded: ['neutral', 'Your money was returned.'],
}

/** Statuses in which a payer can still do something. */
const OPEN_STATUSES: readonly OnrampStatus[] = ['pendingPayment', 'waitingPayment', 'extraVerification']
export const isOpen = (status: OnrampStatus): boolean => OPEN_STATUSES.includes(status)

const buttons = (orderId: string): Html => html`
  <div class="actions">
    ${Object.entries(ACTIONS).map(([action, text]) =>
      form(
        { action: `/buy/${orderId}`, hidden: { action } },
        submit(text, action === 'pay' ? 'primary' : 'quiet'),
      ),
    )}
  </div>
`

/** The checkout page of an onramp order. */
export const checkoutPage = (
  order: Readonly<{ orderId: string; status: OnrampStatus }>,
  request: OnrampRequest,
): string => {
  const [tone, text] = TEXTS[order.status]
  const price = request.fiat_amount === null ? request.fiat : `${request.fiat_amount} ${request.fiat}`
  return page({
    title: `${order.status} · Buy ${request.crypto_amount} ${request.crypto}`,
    brand: 'Sandbox onramp: no money moves here',
    width: 'narrow',
    main: html`<h1>Buy ${request.crypto_amount} ${request.crypto}</h1>
      <section class="sheet">
        <p>${statusTag(tone, order.status)}</p>
        <p role="status">${text}</p>
        ${definitionList([
          { term: 'Price', value: price },
          { term: 'You buy', value: `${request.crypto_amount} ${request.crypto} on ${request.blockchain}` },
          { term: 'Sent to', value: html`<code>${request.address}</code>` },
        ])}
        ${isOpen(order.status) && buttons(order.orderId)}
        ${request.return_url !== null && linkButton(request.return_url, 'Return to the payment', 'quiet')}
      </section>
      <p class="hint">Order <code>${order.orderId}</code></p>`,
  }).toString()
}

export const unknownOrderPage = (): string =>
  page({
    title: 'Order not found',
    brand: 'Sandbox onramp: no money moves here',
    width: 'narrow',
    main: html`<h1>Order not found</h1>
      ${notice('warning', 'No order has this address.')}`,
  }).toString()
