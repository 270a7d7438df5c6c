import { pricePlans, type PricePlan } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { z } from 'zod'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

type Rule = z.input<(typeof pricePlans.create)['body']>['rules'][number]
const STAFF = { kind: 'operator', actor: 'finance' } as const

const storePlan = async (rule: Partial<Rule>): Promise<PricePlan> => {
  const rules = [{ rail: 'crypto' as const, percent: 0, payer: 'merchant' as const, ...rule }]
  const stored = await payments.ask(pricePlans.create, STAFF, { body: { name: 'Crypto', rules } })
  if (!stored.ok) throw new Error(`Not stored: ${JSON.stringify(stored)}`)
  return stored.value.price_plan
}
/** A customer of a partner under a plan with this rule for crypto. */
const newPricedCustomer = async (rule: Partial<Rule>) => {
  const { partner, customerId } = payments.newCustomer()
  const { price_plan_id } = await storePlan(rule)
  await payments.ask(pricePlans.assignToPartner, STAFF, {
    params: { partnerId: partner.partnerId },
    body: { price_plan_id },
  })
  return { partner, customerId }
}
const feesOf = async (orderId: string) =>
  (await payments.events()).flatMap(({ fact }) =>
    fact?.kind === 'deposit_move' && fact.deposit_move.order_id === orderId
      ? [{ applied: fact.deposit_move.applied, fee: fact.deposit_move.service_fee ?? null }]
      : [],
  )

test('charges nothing without a rule for crypto, and names no fee in the order', async () => {
  const { partner, customerId } = payments.newCustomer()
  const order = await payments.newOrder(partner, customerId, { amount: 30 })
  expect([order.amount, 'serviceFee' in order]).toEqual(['0.0005', false])
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  expect(await feesOf(order.id)).toEqual([{ applied: '0.0005', fee: null }])
})

test('takes the fee from what is applied, and gives it back with a reorganisation', async () => {
  const { partner, customerId } = await newPricedCustomer({ percent: 1, fixed_cents: 60, currency: 'EUR' })
  const order = await payments.newOrder(partner, customerId, { network: 'LTC', asset: 'LTC', amount: 30 })
  expect(order).toMatchObject({ serviceFeePercent: 1, serviceFeePayer: 'merchant' })
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  const fee = order.serviceFee ?? ''
  expect(await feesOf(order.id)).toEqual([{ applied: order.amount, fee }])
  await payments.reorganise('LTC', 20)
  await payments.becomes(partner, order.id, 'pending')
  expect((await feesOf(order.id)).at(-1)).toEqual({ applied: `-${order.amount}`, fee: `-${fee}` })
})

test('adds the fee to the amount due where the customer pays it', async () => {
  const { partner, customerId } = await newPricedCustomer({ percent: 2, payer: 'customer' })
  const order = await payments.newOrder(partner, customerId, { amount: 30 })
  expect(order).toMatchObject({ amount: '0.00051', serviceFee: '0.00001', serviceFeePayer: 'customer' })
  await payments.deposit(order.id, '0.0002')
  await payments.becomes(partner, order.id, 'underpaid')
  expect(await feesOf(order.id)).toEqual([{ applied: '0', fee: null }])
  expect((await payments.eventsOf(order.id)).at(-1)?.merchant?.body['order']).toMatchObject({
    expected: '0.00051',
    fees: {
      invoiceAmount: '0.0005',
      totalToSend: '0.00053',
      platformFeePercent: 2,
      platformFeeAmount: '0.00001',
    },
  })
})

test('refuses an order whose fee is above its price', async () => {
  const { partner, customerId } = await newPricedCustomer({ fixed_cents: 3_001, currency: 'EUR' })
  const body = {
    reference: 'R-1',
    network: 'BTC',
    asset: 'BTC',
    amount: 30,
    currency: 'EUR',
    email: 'b@example.com',
  }
  expect(await payments.create(partner, customerId, body)).toMatchObject({
    code: 'invalid_request',
    details: [{ field: 'amount', reason: 'too_big' }],
  })
})
