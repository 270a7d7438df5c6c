import { describe, expect, test } from '@jest/globals'
import type { PayableOrder } from '@causeway/contracts'
import { orderPart, paymentPage, secondsLeft } from './view.ts'

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
  address: ADDRESS,
  paymentUri: `bitcoin:${ADDRESS}?amount=0.0005`,
  qrImage: 'data:image/png;base64,AAAA',
  version: 'one',
  createdAt: '2026-11-23T07:00:00.000Z',
  expiresAt: '2026-11-23T09:01:02.000Z',
  ...change,
})
const textOf = (change: Partial<PayableOrder>) => orderPart(orderWith(change), null, NOW).toString()

describe('the part of a payment page that changes', () => {
  test.each([
    ['pending', {}, 'Waiting for your payment'],
    ['pending, seen on the chain', { unconfirmed: '0.0005' }, 'We see your payment'],
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
    '%s shows no address: nothing may be sent any more',
    (status) => {
      const text = textOf({ status })
      expect(text).not.toContain(ADDRESS)
      expect(text).not.toContain('<img')
    },
  )

  test('counts down while the price is held, and not below zero', () => {
    expect(textOf({})).toContain('1:01:02')
    expect(secondsLeft(orderWith({}), new Date('2026-11-24T00:00:00.000Z'))).toBe(0)
    expect(textOf({ status: 'underpaid' })).not.toContain('countdown')
  })

  test('offers to buy the crypto, or to go on with a purchase, which holds the order', () => {
    const offered = (checkoutUrl: string | null) => orderPart(orderWith({}), { checkoutUrl }, NOW).toString()
    expect(offered(null)).toContain('Buy with EUR')
    expect(offered(null)).toContain('countdown')
    expect(offered('https://provider.example/buy/1')).toContain('href="https://provider.example/buy/1"')
    expect(offered('https://provider.example/buy/1')).not.toContain('countdown')
    expect(textOf({})).not.toContain('Buy with EUR')
  })

  test('has no markup of what it shows', () => {
    expect(textOf({ address: '"><script>alert(1)</script>' })).not.toContain('<script>')
  })
})

test('without JavaScript the page loads itself again until nothing happens any more', () => {
  expect(paymentPage(orderWith({}), null, NOW).toString()).toContain('http-equiv="refresh" content="15"')
  expect(paymentPage(orderWith({ status: 'paid' }), null, NOW).toString()).not.toContain('http-equiv')
})
