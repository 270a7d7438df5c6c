import { describe, expect, test } from '@jest/globals'
import type { OnrampStatus, PayableOrder } from '@causeway/contracts'
import { loadLanguage } from '../languages/language.ts'
import { LANGUAGE_TAGS, type LanguageTag } from '../languages/tags.ts'
import type { Offer } from './purchase.ts'
import { orderPart, partVersion, paymentPage, secondsLeft } from './view.ts'

const language = await loadLanguage('en')
const NOW = new Date('2026-11-23T08:00:00.000Z')
const ADDRESS = 'bc1qexampleexampleexampleexampleexample'

const orderWith = (change: Partial<PayableOrder>): PayableOrder => ({
  id: 'ord_0000000000000000000000000000',
  network: 'BTC',
  asset: 'BTC',
  amount: '0.0005',
  currency: 'EUR',
  fiatAmount: '30.00',
  status: 'pending',
  received: '0',
  unconfirmed: '0',
  reverted: '0',
  due: '0.0005',
  toSend: '0.0005',
  excess: '0',
  address: ADDRESS,
  paymentUri: `bitcoin:${ADDRESS}?amount=0.0005`,
  qrImage: 'data:image/png;base64,AAAA',
  rate: '60000',
  deposits: [],
  version: 'one',
  createdAt: '2026-11-23T07:00:00.000Z',
  expiresAt: '2026-11-23T09:01:02.000Z',
  ...change,
})
const CHECKOUT = 'https://provider.example/buy/1'
const offerOf = (status: OnrampStatus): Offer => ({
  canBuy: true,
  purchase: { checkoutUrl: CHECKOUT, status },
})
const withPurchase = (status: OnrampStatus) =>
  orderPart(orderWith({}), offerOf(status), language, NOW).toString()
const textOf = (change: Partial<PayableOrder>) => orderPart(orderWith(change), null, language, NOW).toString()

/** Headings of states, each on a whole page in a language. */
const titlesIn = async (
  tag: LanguageTag,
  states: readonly (readonly [Partial<PayableOrder>, Offer])[],
): Promise<string[]> => {
  const inLanguage = await loadLanguage(tag)
  return states.map(([change, offer]) => {
    const text = paymentPage(orderWith(change), offer, null, inLanguage, NOW).toString()
    expect(text).toContain(`<html lang="${tag}"`)
    return />([^<]+)<\/h2>/.exec(text)?.[1] ?? ''
  })
}

describe('the part of a payment page that changes', () => {
  test.each([
    ['pending', {}, 'Waiting for your payment'],
    ['pending, seen on the chain', { unconfirmed: '0.0005', toSend: '0' }, 'We see your payment'],
    [
      'pending, a part seen on the chain',
      { unconfirmed: '0.0002', toSend: '0.0003' },
      'We see a part of your payment; 0.0003 BTC is missing',
    ],
    [
      'paid with a surplus',
      { status: 'paid', due: '0', toSend: '0', excess: '0.0001' },
      'Your payment has arrived, with 0.0001 BTC too much',
    ],
    [
      'cancelled with money',
      { status: 'cancelled', received: '0.0005', due: '0' },
      'This payment was cancelled, and 0.0005 BTC has arrived',
    ],
    [
      'expired with money',
      { status: 'expired', received: '0.0002' },
      'This payment has expired, and 0.0002 BTC has arrived',
    ],
    ['underpaid', { status: 'underpaid', received: '0.0002', due: '0.0003' }, '0.0003 BTC is still due'],
    ['reverted', { reverted: '0.0005' }, 'A payment was reverted'],
    ['paid', { status: 'paid', due: '0' }, 'Your payment has arrived'],
    ['expired', { status: 'expired' }, 'The time to pay has expired'],
    ['cancelled', { status: 'cancelled' }, 'This payment was cancelled'],
    ['refunded', { status: 'refunded', due: '0' }, 'Your payment was refunded'],
  ] as const)('describes the state %s', (_, change, title) => {
    expect(textOf(change)).toContain(`>${title}</h2>`)
  })

  test.each(['paid', 'expired', 'cancelled', 'refunded'] as const)(
    'shows no address when the order is %s, because nothing may be sent any more',
    (status) => {
      const text = textOf({ status })
      expect(text).not.toContain(ADDRESS)
      expect(text).not.toContain('<img')
    },
  )

  test('states the service fee that the buyer pays on top of the price, and no other', () => {
    const text = 'plus a service fee of 0.00001 BTC'
    expect(textOf({ serviceFee: '0.00001' })).toContain(`€30.00 ${text}`)
    expect(textOf({ status: 'underpaid', serviceFee: '0.00001' })).toContain(`(€30.00 ${text})`)
    expect(textOf({})).not.toContain('service fee')
  })

  test('counts down while the price is held, and not below zero', () => {
    expect(textOf({})).toContain('1:01:02')
    expect(secondsLeft(orderWith({}), new Date('2026-11-24T00:00:00.000Z'))).toBe(0)
    expect(textOf({ status: 'underpaid' })).not.toContain('countdown')
  })

  test('offers to buy the crypto, or to continue a purchase, which holds the order', () => {
    const none = orderPart(orderWith({}), { canBuy: true, purchase: null }, language, NOW).toString()
    expect(none).toContain('Buy with EUR')
    expect(none).toContain('countdown')
    expect(withPurchase('waitingPayment')).toContain(`href="${CHECKOUT}"`)
    expect(withPurchase('waitingPayment')).toContain(ADDRESS)
    expect(withPurchase('waitingPayment')).not.toContain('countdown')
    expect(textOf({})).not.toContain('Buy with EUR')
  })

  test.each([
    ['paymentReceived', 'The provider has received your payment'],
    ['extraVerification', 'The provider needs to verify you'],
    ['completed', 'The provider has received your payment'],
  ] as const)('shows no address while a purchase is %s, so that nobody pays twice', (status, title) => {
    const text = withPurchase(status)
    expect(text).toContain(`>${title}</h2>`)
    expect(text).not.toContain(ADDRESS)
    expect(text).not.toContain('Send exactly')
  })

  test('says that a declined purchase sends nothing, and lets the buyer pay', () => {
    const text = withPurchase('declined')
    expect(text).toContain('The provider declined your purchase.')
    expect(text).toContain(ADDRESS)
    expect(text).toContain('Buy with EUR')
    const cancelled = orderPart(
      orderWith({ status: 'cancelled' }),
      offerOf('declined'),
      language,
      NOW,
    ).toString()
    expect(cancelled).toContain('>The provider declined your purchase</h2>')
    expect(cancelled).not.toContain('Buy with EUR')
  })

  test('requests nothing while all of the amount is on its way, and the rest while a part is', () => {
    expect(textOf({ unconfirmed: '0.0005', toSend: '0' })).not.toContain(ADDRESS)
    const part = textOf({ unconfirmed: '0.0002', toSend: '0.0003' })
    expect(part).toContain('QR code for a wallet: 0.0003 BTC')
    expect(part).not.toContain('Do not send anything else')
  })

  test('has a different version for each state of the purchase', () => {
    const version = (status: OnrampStatus) => partVersion(orderWith({}), offerOf(status))
    expect(version('waitingPayment')).not.toBe(version('paymentReceived'))
    expect(partVersion(orderWith({}), null)).toBe('one')
  })

  test('warns of other networks before the address, and shows the rate', () => {
    expect(textOf({})).toMatch(/Send BTC on Bitcoin only\.[^]*QR code/)
    expect(textOf({})).toContain('at 1 BTC = 60000 EUR')
  })

  test('shows each deposit with its confirmations, which are part of the version, and links it to the explorer', () => {
    const deposit = {
      ...{ txId: 'aa11', amount: '0.0005', confirmations: 1, confirmationsNeeded: 2, countedAt: null },
      explorerUrl: 'https://explorer.example/tx/aa11',
    }
    const seen = { unconfirmed: '0.0005', toSend: '0', deposits: [deposit] }
    expect(textOf(seen)).toContain('0.0005 BTC</bdi>: 1 of 2 confirmations')
    expect(textOf(seen)).toContain(
      '<a href="https://explorer.example/tx/aa11" rel="noreferrer"><code dir="ltr">aa11</code></a>',
    )
    expect(textOf({ ...seen, deposits: [{ ...deposit, explorerUrl: null }] })).not.toContain('<a')
    expect(partVersion(orderWith(seen), null)).toBe('one:1')
  })

  test('is a receipt once the order is paid', () => {
    const countedAt = '2026-11-23T08:01:00.000Z'
    const deposit = {
      txId: 'aa11',
      amount: '0.0005',
      confirmations: 2,
      confirmationsNeeded: 2,
      explorerUrl: null,
    }
    const paid = textOf({
      ...{ status: 'paid', due: '0', toSend: '0', shopName: 'Corner Books', description: 'Two novels' },
      deposits: [{ ...deposit, countedAt }],
    })
    expect(paid).toMatch(
      /Receipt<[^]*Corner Books[^]*Two novels[^]*€30\.00[^]*0\.0005 BTC on Bitcoin[^]*aa11/,
    )
    expect(paid).toContain(`datetime="${countedAt}"`)
    expect(textOf({})).not.toContain('Receipt')
  })

  test.each([
    ['pending', 'quiet'],
    ['paid', 'primary'],
    ['expired', 'primary'],
    ['cancelled', 'primary'],
  ] as const)('leads back to the shop while the order is %s, by a %s button', (status, look) => {
    const back = { status, returnUrl: 'https://books.example/thanks' }
    expect(textOf(back)).toContain(
      `<a class="button ${look}" href="https://books.example/thanks">Back to the shop</a>`,
    )
    expect(textOf({ ...back, shopName: 'Corner Books' })).toContain('Back to Corner Books')
    expect(textOf({ status })).not.toContain('Back to')
  })

  test('contains no markup from the values that it shows', () => {
    expect(textOf({ status: 'paid', description: '<b>x</b>', shopName: '<i>' })).not.toMatch(/<b>|<i>/)
    expect(textOf({ address: '"><script>alert(1)</script>' })).not.toContain('<script>')
  })
})

test('shows every state in every language, with the language and its direction on the page', async () => {
  const states: readonly Partial<PayableOrder>[] = [
    {},
    { unconfirmed: '0.0005', toSend: '0' },
    { unconfirmed: '0.0002', toSend: '0.0003' },
    { reverted: '0.0005' },
    { status: 'underpaid', received: '0.0002', due: '0.0003', serviceFee: '0.00001' },
    { status: 'paid', excess: '0.0001' },
    { status: 'cancelled', received: '0.0005' },
    { status: 'expired', received: '0.0002' },
    { status: 'expired' },
    { status: 'refunded' },
  ]
  const offers = (['waitingPayment', 'paymentReceived', 'extraVerification', 'declined'] as const).map(
    offerOf,
  )
  const all = [
    ...states.map((state) => [state, null] as const),
    ...offers.map((offer) => [{}, offer] as const),
  ]
  const english = new Set(await titlesIn('en', all))
  for (const tag of LANGUAGE_TAGS.filter((other) => other !== 'en'))
    for (const title of await titlesIn(tag, all)) expect([tag, english.has(title)]).toEqual([tag, false])
})

test('names the language of the page in the addresses that its script reads', async () => {
  const text = paymentPage(orderWith({}), null, null, await loadLanguage('ar'), NOW).toString()
  expect(text).toContain('<html lang="ar" dir="rtl">')
  expect(text).toMatch(/data-state="\/pay\/ord_0+\/state\?lang=ar"/)
  expect(text).toMatch(/data-events="\/pay\/ord_0+\/events\?lang=ar"/)
  expect(text).toContain('data-copy="0.0005"')
})

test('reloads the page without JavaScript until nothing changes any more', () => {
  expect(paymentPage(orderWith({}), null, null, language, NOW).toString()).toContain(
    'http-equiv="refresh" content="15"',
  )
  expect(paymentPage(orderWith({ status: 'paid' }), null, null, language, NOW).toString()).not.toContain(
    'http-equiv',
  )
})
