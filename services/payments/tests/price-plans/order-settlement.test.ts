import { queryNone, queryOne } from '@causeway/chassis'
import { CryptoSettlement, pricePlans } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { z } from 'zod'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

const STAFF = { kind: 'operator', actor: 'finance' } as const
type Terms = Omit<z.input<(typeof pricePlans.create)['body']>, 'name' | 'rules'>
type Choice = 'fiat_eur_iban' | 'crypto_usdt' | null

const storePlan = async (terms: Terms, percent = 0) => {
  const rules = [{ rail: 'crypto' as const, percent, payer: 'merchant' as const }]
  const stored = await payments.ask(pricePlans.create, STAFF, { body: { name: 'Crypto', rules, ...terms } })
  if (!stored.ok) throw new Error(`Not stored: ${JSON.stringify(stored)}`)
  return stored.value.price_plan
}
/** A customer of a partner under a plan with these terms, with its choice in the verification data. */
const newCustomer = async (
  terms: Terms,
  { percent = 0, choice = null }: { percent?: number; choice?: Choice } = {},
) => {
  const { partner, customerId } = payments.newCustomer()
  const { price_plan_id } = await storePlan(terms, percent)
  const params = { partnerId: partner.partnerId }
  await payments.ask(pricePlans.assignToPartner, STAFF, { params, body: { price_plan_id } })
  if (choice !== null)
    await payments.onboarding.publish(payments.onboarding.change(customerId, { settlement_option: choice }))
  return { partner, customerId, planId: price_plan_id }
}
const findSettlement = queryOne({
  name: 'test.order-settlement',
  parameters: { id: 'text' },
  text: 'SELECT settlement FROM crypto_orders WHERE id = :id',
  row: z.object({ settlement: CryptoSettlement }),
})
const storedOf = async (id: string) => (await findSettlement(payments.db, { id }))?.settlement

const settledOf = async (orderId: string) =>
  (await payments.events()).flatMap(({ fact }) => {
    if (fact?.kind !== 'deposit_move' || fact.deposit_move.order_id !== orderId) return []
    const { settled_amount: amount, settled_cents: cents, settled_currency: currency } = fact.deposit_move
    return [currency === undefined ? null : [amount, cents, currency]]
  })

test('keeps receipts in the asset where the plan does not say otherwise, and adds nothing to their facts', async () => {
  const { partner, customerId } = await newCustomer({})
  const order = await payments.newOrder(partner, customerId, { amount: 30 })
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  expect(await settledOf(order.id)).toEqual([null])
})

test('converts what is applied after its fee at the rate of the order, and takes it back with a reorganisation', async () => {
  const { partner, customerId } = await newCustomer({ settlement: 'order_currency' }, { percent: 1 })
  const order = await payments.newOrder(partner, customerId, { network: 'LTC', asset: 'LTC', amount: 30 })
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  const [settled] = await settledOf(order.id)
  expect(settled).toEqual([expect.any(String), 2_970, 'EUR'])
  await payments.reorganise('LTC', 20)
  await payments.becomes(partner, order.id, 'pending')
  expect((await settledOf(order.id)).at(-1)).toEqual([`-${String(settled?.[0])}`, -2_970, 'EUR'])
})

test('divides the price among several deposits without losing a cent', async () => {
  const { partner, customerId } = await newCustomer({ settlement: 'order_currency' })
  const order = await payments.newOrder(partner, customerId, { amount: 30.01 })
  for (const part of ['0.00016672', '0.00016672']) await payments.deposit(order.id, part)
  await payments.becomes(partner, order.id, 'underpaid')
  await payments.eventually(async () => expect(await settledOf(order.id)).toEqual([null, null]))
  await payments.deposit(order.id, '0.00016673')
  await payments.becomes(partner, order.id, 'paid')
  const cents = (await settledOf(order.id)).flatMap((each) => (each === null ? [] : [Number(each[1])]))
  expect([cents.length, cents.reduce((sum, each) => sum + each, 0)]).toEqual([3, 3_001])
})

test.each<[string, Terms, Choice, string, string]>([
  [
    'an order in EUR of a merchant that chose EUR',
    { use_kyb_choices: true },
    'fiat_eur_iban',
    'EUR',
    'order_currency',
  ],
  ['an order in USD of such a merchant', { use_kyb_choices: true }, 'fiat_eur_iban', 'USD', 'asset'],
  [
    'an order in USD where the plan converts all',
    { use_kyb_choices: true, settlement: 'order_currency' },
    'fiat_eur_iban',
    'USD',
    'order_currency',
  ],
  [
    'an order of a merchant that chose USDT',
    { use_kyb_choices: true, settlement: 'order_currency' },
    'crypto_usdt',
    'EUR',
    'asset',
  ],
  ['an order of a plan without choices', {}, 'fiat_eur_iban', 'EUR', 'asset'],
  [
    'an order without a choice',
    { use_kyb_choices: true, settlement: 'order_currency' },
    null,
    'EUR',
    'order_currency',
  ],
])('books %s as the terms say', async (_name, terms, choice, currency, settlement) => {
  const { partner, customerId } = await newCustomer(terms, { choice })
  await payments.eventually(async () => {
    const order = await payments.newOrder(partner, customerId, { amount: 30, currency })
    expect(await storedOf(order.id)).toBe(settlement)
  })
})

const forgetSettlement = queryNone({
  name: 'test.forget-settlement',
  parameters: { planId: 'text' },
  text: 'UPDATE price_plan_versions SET settlement = NULL WHERE price_plan_id = :planId',
})

test('keeps the asset under a version from before there was a choice, and lists it without one', async () => {
  const { partner, customerId, planId } = await newCustomer(
    { use_kyb_choices: true },
    { choice: 'fiat_eur_iban' },
  )
  await payments.eventually(async () => {
    const order = await payments.newOrder(partner, customerId, { amount: 30 })
    expect(await storedOf(order.id)).toBe('order_currency')
  })
  await forgetSettlement(payments.db, { planId })
  const order = await payments.newOrder(partner, customerId, { amount: 30 })
  expect(await storedOf(order.id)).toBe('asset')
  const listed = await payments.ask(pricePlans.list, STAFF, { query: {} })
  if (!listed.ok) throw new Error(listed.code)
  const plan = listed.value.price_plans.find(({ price_plan_id: id }) => id === planId)
  expect(plan?.versions[0]).toMatchObject({ settlement: null, use_kyb_choices: true })
})
