import { pricePlans, pricePreviews, PREVIEW_DAYS } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { z } from 'zod'
import { createCardCalls, type CardCalls } from '../card-calls.ts'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'

const DAY_MS = 86_400_000
const STAFF = { kind: 'operator', actor: 'finance' } as const
type Terms = z.input<(typeof pricePreviews.create)['body']>
type Shop = Awaited<ReturnType<FiatCalls['newShop']>>

let payments: RunningPayments
let fiat: FiatCalls
let cards: CardCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
  cards = createCardCalls(payments)
})
afterAll(() => payments.stop())

const merchantOf = ({ customerId }: Shop) => payments.onboarding.change(customerId, {}).customer_id
const preview = (customerId: string, body: Terms) =>
  payments.ask(pricePreviews.create, STAFF, { params: { customerId }, body })
const pay = async ({ partner, customerId, integrationId }: Shop, change = {}) => {
  const order = await fiat.newOrder(partner, customerId, integrationId, change)
  await cards.pay(order)
  return order
}
const TERMS: Terms = {
  rules: [
    { rail: 'card', percent: 1.45, payer: 'customer' },
    { rail: 'card', kind: 'payment_link', currency: 'EUR', percent: 1, fixed_cents: 25, payer: 'merchant' },
  ],
  dispute_fee_cents: 1_000,
}

test('states what the terms would have charged, to the cent what orders under them are charged', async () => {
  const shop = await fiat.newShop()
  const orders = [{ amount_cents: 3_333 }, { amount_cents: 6_667, kind: 'payment_link' }, { currency: 'JPY' }]
  for (const change of orders) await pay(shop, change)
  await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId)
  const before = await preview(merchantOf(shop), TERMS)
  if (!before.ok) throw new Error(before.code)
  expect(before.value.preview.service_fees).toMatchObject([
    { currency: 'EUR', kind: 'order', orders: 1, charged: { merchant_cents: 83, customer_cents: 0 } },
    { currency: 'EUR', kind: 'payment_link', orders: 1, charged: { merchant_cents: 167, customer_cents: 0 } },
    { currency: 'JPY', kind: 'order', orders: 1, charged: { merchant_cents: 250, customer_cents: 0 } },
  ])

  const other = await fiat.newShop(newPartner())
  const stored = await payments.ask(pricePlans.create, STAFF, { body: { name: 'Low', ...TERMS } })
  if (!stored.ok) throw new Error(stored.code)
  const { price_plan_id } = stored.value.price_plan
  const params = { customerId: merchantOf(other) }
  await payments.ask(pricePlans.assignToMerchant, STAFF, { params, body: { price_plan_id } })
  for (const change of orders) await pay(other, change)
  const charged = await preview(merchantOf(other), TERMS)
  if (!charged.ok) throw new Error(charged.code)
  const fees = charged.value.preview.service_fees
  expect(fees.map((each) => each.charged)).toEqual(fees.map((each) => each.preview))
  expect(fees).toEqual(before.value.preview.service_fees.map((each) => ({ ...each, charged: each.preview })))
})

test('states what the terms would have charged crypto orders, to the last decimal what orders under them are charged', async () => {
  const customers = [payments.newCustomer(), payments.newCustomer()] as const
  const orders = [{ amount: 30 }, { amount: 45.5 }, { amount: 33.33, network: 'LTC', asset: 'LTC' } as const]
  const payAll = async ({ partner, customerId }: (typeof customers)[number]) => {
    for (const change of orders) {
      const order = await payments.newOrder(partner, customerId, change)
      await payments.deposit(order.id)
      await payments.becomes(partner, order.id, 'paid')
    }
    await payments.newOrder(partner, customerId, orders[0])
  }
  const cryptoFees = async ({ customerId }: (typeof customers)[number], rules: Terms['rules']) => {
    const answer = await preview(payments.onboarding.change(customerId, {}).customer_id, { rules })
    if (!answer.ok) throw new Error(answer.code)
    return answer.value.preview.crypto_fees
  }
  const rule = { rail: 'crypto', percent: 1.45, fixed_cents: 5, currency: 'EUR', payer: 'customer' } as const
  const [free, priced] = customers
  await payAll(free)
  const before = await cryptoFees(free, [rule])
  const none = { merchant: '0', customer: '0' }
  expect(before).toMatchObject([
    { unit: 'BTC/BTC', orders: 2, charged: none, refused_orders: 0 },
    { unit: 'LTC/LTC', orders: 1, charged: none, refused_orders: 0 },
  ])

  const stored = await payments.ask(pricePlans.create, STAFF, { body: { name: 'Crypto', rules: [rule] } })
  if (!stored.ok) throw new Error(stored.code)
  await payments.ask(pricePlans.assignToPartner, STAFF, {
    params: { partnerId: priced.partner.partnerId },
    body: { price_plan_id: stored.value.price_plan.price_plan_id },
  })
  await payAll(priced)
  const charged = await cryptoFees(priced, [rule])
  expect(charged.every(({ charged: { customer } }) => Number(customer) > 0)).toBe(true)
  expect(charged.map((each) => each.charged)).toEqual(charged.map((each) => each.preview))
  expect(charged).toEqual(before.map((each) => ({ ...each, charged: each.preview })))
  const dear = await cryptoFees(free, [
    { rail: 'crypto', percent: 0, fixed_cents: 4_000, currency: 'EUR', payer: 'merchant' },
  ])
  expect(dear).toMatchObject([
    { unit: 'BTC/BTC', refused_orders: 1 },
    { unit: 'LTC/LTC', refused_orders: 1, preview: none },
  ])
})

test('covers the payments and disputes of the period, of this merchant alone', async () => {
  const shop = await fiat.newShop()
  const merchant = merchantOf(shop)
  await cards.dispute(await pay(shop))
  const ofShop = async () => {
    const answer = await preview(merchant, TERMS)
    if (!answer.ok) throw new Error(answer.code)
    const { service_fees: service, dispute_fees: dispute } = answer.value.preview
    return { orders: service.map(({ orders }) => orders), dispute }
  }
  const dispute = [{ currency: 'EUR', charged_cents: 1_500, preview_cents: 1_000 }]
  expect(await ofShop()).toEqual({ orders: [1], dispute })
  await cards.dispute(await pay(await fiat.newShop(shop.partner)))
  payments.clock.advance((PREVIEW_DAYS - 1) * DAY_MS)
  expect(await ofShop()).toEqual({ orders: [1], dispute })
  payments.clock.advance(2 * DAY_MS)
  expect(await ofShop()).toEqual({ orders: [], dispute: [] })
})

test('answers 404 for an unknown merchant', async () => {
  expect(await preview('cus_01m8k7gmn6ez880kc9pbfs0aga', TERMS)).toMatchObject({
    code: 'resource_not_found',
  })
})
