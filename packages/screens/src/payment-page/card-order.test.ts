import { describe, expect, test } from '@jest/globals'
import type { PayableFiatOrder } from '@causeway/contracts'
import { loadLanguage } from '../languages/language.ts'
import { LANGUAGE_TAGS } from '../languages/tags.ts'
import { cardOrderPage } from './card-order.ts'

const orderWith = (change: Partial<PayableFiatOrder>): PayableFiatOrder => ({
  order_id: 'fio_00000000000000000000000000',
  status: 'pending',
  merchant_name: 'Rosa <Cafés>',
  description: 'Order 1001',
  total_cents: 10_250,
  service_fee_cents: 250,
  refunded_cents: 0,
  currency: 'EUR',
  order_url: 'https://cards.example/pay/1',
  return_url: 'https://shop.example/basket',
  completed_at: null,
  ...change,
})
const paid = { status: 'paid', completed_at: '2026-11-30T15:00:00.000Z' } as const
const pageOf = async (change: Partial<PayableFiatOrder>, tag: (typeof LANGUAGE_TAGS)[number] = 'en') =>
  cardOrderPage(orderWith(change), null, await loadLanguage(tag)).toString()
/** Text of the page, without its tags. */
const textOf = async (change: Partial<PayableFiatOrder>): Promise<string> =>
  (await pageOf(change)).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

describe('the page of a card order', () => {
  test.each([
    ['pending', {}, 'Waiting for your payment'],
    ['paid', paid, 'Your payment has arrived'],
    ['completed', { ...paid, status: 'completed' }, 'Your payment has arrived'],
    ['partly refunded', { ...paid, refunded_cents: 500 }, 'A part of your payment was refunded'],
    ['refunded', { ...paid, status: 'refunded', refunded_cents: 10_250 }, 'Your payment was refunded'],
    ['chargeback', { ...paid, status: 'chargeback' }, 'You have disputed this payment'],
    ['cancelled', { status: 'cancelled' }, 'This payment was cancelled'],
    ['expired', { status: 'expired' }, 'The time to pay has expired'],
  ] as const)('says what has happened to one that is %s', async (_, change, title) => {
    expect(await textOf(change)).toContain(`${title} `)
  })

  test('leads to the processor and reloads only while the order can be paid', async () => {
    const pending = await pageOf({})
    expect(pending).toContain('href="https://cards.example/pay/1"')
    expect(pending).toContain('http-equiv="refresh"')
    for (const change of [paid, { status: 'expired' }, { status: 'cancelled' }] as const) {
      const ended = await pageOf(change)
      expect(ended).not.toContain('https://cards.example')
      expect(ended).not.toContain('http-equiv="refresh"')
      expect(ended).toContain('href="https://shop.example/basket"')
    }
    expect(await pageOf({ return_url: null })).not.toContain('Back to')
  })

  test('is the receipt of a payment: shop, fee, total and refund', async () => {
    const receipt = await textOf({ ...paid, refunded_cents: 500 })
    for (const text of [
      'Rosa &lt;Cafés&gt;',
      'Price €100.00',
      'Service fee €2.50',
      'Total €102.50',
      'Refunded €5.00',
    ])
      expect(receipt).toContain(text)
    expect(await textOf({ ...paid, service_fee_cents: 0 })).not.toContain('Service fee')
    expect(await textOf({})).not.toContain('Receipt')
  })

  test.each(LANGUAGE_TAGS)('exists in the language %s', async (tag) => {
    const page = await pageOf({ ...paid, refunded_cents: 500 }, tag)
    expect(page).toContain(`<html lang="${tag}"`)
    if (tag !== 'en') expect(page).not.toContain('was refunded')
  })
})
