import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

type Shop = Awaited<ReturnType<FiatCalls['newShop']>>
const nameOnPage = async ({ partner, customerId, integrationId }: Shop) => {
  const order = await fiat.newOrder(partner, customerId, integrationId)
  return payments.cards.ofOrder(order.order_key).opened['merchant_name']
}

it("shows payers the customer's name as it is when the order is created", async () => {
  const shop = await fiat.newShop()
  payments.onboarding.call(shop.customerId, 'Ada Engines Ltd')
  expect(await nameOnPage(shop)).toBe('Ada Engines Ltd')
  payments.onboarding.call(shop.customerId, 'Ada & Daughters Ltd')
  payments.clock.advance(60_000)
  expect(await nameOnPage(shop)).toBe('Ada & Daughters Ltd')
})

it("shows the integration's name for a customer without a name, and truncates a very long one", async () => {
  const shop = await fiat.newShop()
  expect(await nameOnPage(shop)).toBe('Default')
  payments.onboarding.call(shop.customerId, ' '.repeat(9))
  payments.clock.advance(60_000)
  expect(await nameOnPage(shop)).toBe('Default')
  payments.onboarding.call(shop.customerId, 'long '.repeat(60))
  payments.clock.advance(60_000)
  expect(await nameOnPage(shop)).toBe('long '.repeat(40))
})

it('creates orders with the last known name while onboarding is down', async () => {
  const [known, unknown] = [await fiat.newShop(), await fiat.newShop()]
  payments.onboarding.call(known.customerId, 'Known Ltd')
  await nameOnPage(known)
  payments.clock.advance(60_000)
  payments.onboarding.setDown(true)
  expect(await nameOnPage(known)).toBe('Known Ltd')
  expect(await nameOnPage(unknown)).toBe('Default')
  payments.onboarding.setDown(false)
})
