import { formatMinorUnits, minorUnitDecimals } from '@causeway/contracts'
import type { Payment } from '../rows.ts'
import type { CardForm, Field, FieldErrors } from './form.ts'
import { behaviourOf, CHALLENGE_CODE, formatCardNumber, TEST_CARDS } from './test-cards.ts'

export const STYLE_PATH = '/pay/page.css'

/** Formats the amount for people, in English. */
export const formatAmount = (amountCents: number, currency: string): string => {
  const digits = minorUnitDecimals(currency) ?? 2
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(formatMinorUnits(amountCents, currency) as `${number}`)
}

/** Escaped HTML. */
type Html = Readonly<{ html: string }>

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const render = (value: string | Html | readonly Html[]): string => {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
  return 'html' in value ? value.html : value.map(({ html: each }) => each).join('')
}

/** Template tag that escapes every interpolated string. */
const html = (
  strings: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html => ({
  html: strings.reduce((text, part, index) => `${text}${render(values[index - 1] ?? '')}${part}`),
})

const EMPTY_HTML: Html = { html: '' }

const page = (title: string, sheet: Html, below: Html = EMPTY_HTML): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${STYLE_PATH}" />
      </head>
      <body>
        <main>
          <p class="sandbox">Sandbox: no money moves here. Use a test card, never a real one.</p>
          <div class="sheet">${sheet}</div>
          ${below}
        </main>
      </body>
    </html>`.html

const heading = (payment: Payment): Html => html`
  <h1>Pay ${payment.merchantName}</h1>
  <p class="amount">${formatAmount(payment.totalCents, payment.currency)}</p>
  <p class="description">${payment.description}</p>
`

const backLink = (payment: Payment, url: string | null, text: string): Html =>
  url === null
    ? EMPTY_HTML
    : html`<p class="leave"><a href="${url}" rel="noreferrer">${text} ${payment.merchantName}</a></p>`

/** The error summary has the focus when the page opens, so that screen readers announce it first. */
const summary = (message: string | null, errors: FieldErrors): Html => {
  const entries = Object.entries(errors)
  if (message === null && entries.length === 0) return EMPTY_HTML
  const items = entries.map(([field, error]) => html`<li><a href="#${field}">${error}</a></li>`)
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
    <h2>${message ?? 'Nothing was charged. Please correct:'}</h2>
    ${
      items.length === 0
        ? EMPTY_HTML
        : html`<ul>
            ${items}
          </ul>`
    }
  </div>`
}

type Input = Readonly<{
  name: Field
  label: string
  hint: string
  autocomplete: string
  inputmode: 'numeric' | 'email'
  value: string
}>

const field = (errors: FieldErrors, input: Input): Html => {
  const error = errors[input.name]
  const described = error === undefined ? `${input.name}-hint` : `${input.name}-hint ${input.name}-error`
  return html`<div class="field">
    <label for="${input.name}">${input.label}</label>
    <span class="hint" id="${input.name}-hint">${input.hint}</span>
    ${error === undefined ? EMPTY_HTML : html`<span class="error" id="${input.name}-error">${error}</span>`}
    <input
      id="${input.name}"
      name="${input.name}"
      value="${input.value}"
      autocomplete="${input.autocomplete}"
      inputmode="${input.inputmode}"
      aria-describedby="${described}"
      aria-invalid="${error === undefined ? 'false' : 'true'}"
      required
    />
  </div>`
}

const testCards = html`<details>
  <summary>Test cards</summary>
  <p>Any expiry date to come, any security code.</p>
  <dl>
    ${TEST_CARDS.map(
      ({ number, description }) =>
        html`<dt>${formatCardNumber(number)}</dt>
          <dd>${description}</dd>`,
    )}
  </dl>
</details>`

/** Only test card numbers are shown again; any other number might be a real card. */
const testCardNumberOnly = (typed: string): string =>
  behaviourOf(typed.replace(/[\s-]/g, '')) === null ? '' : typed

export const cardPage = (
  payment: Payment,
  shown: { form: CardForm; errors?: FieldErrors; message?: string },
): string => {
  const { form, errors = {}, message = null } = shown
  const failed = message !== null || Object.keys(errors).length > 0
  const amount = formatAmount(payment.totalCents, payment.currency)
  const inputs: readonly Input[] = [
    {
      name: 'email',
      label: 'E-mail',
      hint: 'For the receipt',
      autocomplete: 'email',
      inputmode: 'email',
      value: form.email,
    },
    {
      name: 'card_number',
      label: 'Card number',
      hint: 'The long number on the front',
      autocomplete: 'cc-number',
      inputmode: 'numeric',
      value: testCardNumberOnly(form.card_number),
    },
  ]
  const expiry: Input = {
    name: 'expiry',
    label: 'Expiry date',
    hint: 'MM/YY',
    autocomplete: 'cc-exp',
    inputmode: 'numeric',
    value: form.expiry,
  }
  const cvc: Input = {
    name: 'cvc',
    label: 'Security code',
    hint: '3 or 4 digits',
    autocomplete: 'cc-csc',
    inputmode: 'numeric',
    value: '',
  }
  const sheet = html`
    ${heading(payment)} ${summary(message, errors)}
    <form method="post" action="/pay/${payment.pageToken}" novalidate>
      ${inputs.map((input) => field(errors, input))}
      <div class="pair">${field(errors, expiry)}${field(errors, cvc)}</div>
      <button type="submit">Pay ${amount}</button>
    </form>
    ${backLink(payment, payment.failureUrl ?? payment.returnUrl, 'Cancel and return to')}
  `
  return page(`${failed ? 'Error: ' : ''}Pay ${payment.merchantName}`, sheet, testCards)
}

export const challengePage = (payment: Payment, triesLeft: number | null): string => {
  const errors: FieldErrors =
    triesLeft === null ? {} : { code: `That is not the code. Tries left: ${triesLeft}.` }
  const sheet = html`
    ${heading(payment)} ${summary(null, errors)}
    <form method="post" action="/pay/${payment.pageToken}/challenge" novalidate>
      <p>Your bank asks you to confirm that it is you.</p>
      ${field(errors, { name: 'code', label: 'Code from your bank', hint: `In this sandbox it is ${CHALLENGE_CODE}`, autocomplete: 'one-time-code', inputmode: 'numeric', value: '' })}
      <button type="submit">Confirm</button>
    </form>
    ${backLink(payment, payment.failureUrl ?? payment.returnUrl, 'Cancel and return to')}
  `
  return page(`${triesLeft === null ? '' : 'Error: '}Confirm your payment`, sheet)
}

const ENDS: Readonly<
  Record<
    'completed' | 'processing' | 'cancelled' | 'expired' | 'blocked',
    readonly [title: string, text: string]
  >
> = {
  completed: ['Payment complete', 'Thank you. You can close this page.'],
  processing: ['Payment in progress', 'Your bank is still processing the payment. You can close this page.'],
  cancelled: ['Payment cancelled', 'Nothing was charged.'],
  expired: ['Payment expired', 'It can no longer be paid. Nothing was charged.'],
  blocked: ['Payment not accepted', 'This payment cannot be accepted. Nothing was charged.'],
}

/** The result of the payment, with a link back to the merchant. */
export const endPage = (payment: Payment, end: keyof typeof ENDS): string => {
  const [title, text] = ENDS[end]
  const paid = end === 'completed' || end === 'processing'
  const url = paid ? payment.returnUrl : (payment.failureUrl ?? payment.returnUrl)
  const sheet = html`
    <h1>${title}</h1>
    <p class="amount">${formatAmount(payment.totalCents, payment.currency)}</p>
    <p class="description">${payment.merchantName}</p>
    <p role="status">${text}</p>
    ${backLink(payment, url, 'Return to')}
  `
  return page(title, sheet)
}

export const notFoundPage = (): string =>
  page(
    'Payment not found',
    html`<h1>Payment not found</h1>
      <p>No payment has this address.</p>`,
  )
