import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId, queryOne } from '@causeway/chassis'
import { pricePlans } from '@causeway/contracts'
import { z } from 'zod'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { startForTests, type Partner, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

const STAFF = { kind: 'operator', actor: 'finance' } as const
const MAX_PERCENT = 10

/** A shop whose partner may charge a fee of up to a tenth of the price, and another customer of that partner. */
const newShop = async () => {
  const shop = await fiat.newShop()
  const rules = [{ rail: 'card' as const, percent: 2.5, payer: 'merchant' as const }]
  const body = { name: 'With partner fees', rules, partner_fee_max_percent: MAX_PERCENT }
  const made = await payments.ask(pricePlans.create, STAFF, { body })
  if (!made.ok) throw new Error(`No plan: ${JSON.stringify(made)}`)
  const { price_plan_id } = made.value.price_plan
  const params = { partnerId: shop.partner.partnerId }
  await payments.ask(pricePlans.assignToPartner, STAFF, { params, body: { price_plan_id } })
  return { ...shop, receiver: payments.newCustomer(shop.partner).customerId }
}
type Shop = Awaited<ReturnType<typeof newShop>>
const create = ({ partner, customerId, integrationId }: Shop, change: object, key?: string) =>
  fiat.create(
    partner,
    customerId,
    { integration_id: integrationId, amount_cents: 10_000, currency: 'EUR', ...change },
    key,
  )
const split = (partner_customer_id: string, amount_cents: number) => ({ partner_customer_id, amount_cents })
const refusal = (field: string, reason: string, expected?: string) => ({
  ok: false,
  code: 'invalid_request',
  details: [{ field, reason, ...(expected !== undefined && { expected }) }],
})
const countOrders = queryOne({
  name: 'test.count-shared-orders',
  parameters: { partnerId: 'text' },
  text: 'SELECT count(*)::float8 AS count FROM fiat_orders WHERE partner_id = :partnerId',
  row: z.object({ count: z.number() }),
})

test('stores a partner fee and splits with an order, and shows them wherever it is read', async () => {
  const shop = await newShop()
  const splits = [{ ...split(shop.receiver, 2_000), reference: 'supplier-7' }]
  const made = await create(shop, { partner_fee_cents: 1_000, splits })
  const order = made.ok ? made.value.order : null
  expect(order).toMatchObject({ amount_cents: 9_750, partner_fee_cents: 1_000, splits })
  expect(await fiat.get(shop.partner, order?.order_key ?? '')).toEqual({ ok: true, value: { order } })
  expect(await fiat.list(shop.partner, shop.customerId)).toMatchObject({ value: { orders: [order] } })
  const events = await payments.eventsOf(order?.order_id ?? '')
  expect(JSON.stringify(events)).not.toMatch(/partner_fee|partnerFee|splits|supplier-7/)
})

test('answers with null for a reference that was not given, and with a fee of 0 where only splits were', async () => {
  const shop = await newShop()
  expect(await create(shop, { splits: [split(shop.receiver, 1)] })).toMatchObject({
    value: { order: { partner_fee_cents: 0, splits: [{ ...split(shop.receiver, 1), reference: null }] } },
  })
})

test('leaves both fields out of an order without shares', async () => {
  const shop = await newShop()
  for (const body of [{}, { partner_fee_cents: 0, splits: [] }]) {
    const made = await create(shop, body)
    expect(made.ok && Object.keys(made.value.order)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/partner_fee_cents|splits/)]),
    )
  }
})

test('accepts shares of exactly the limits', async () => {
  const shop = await newShop()
  const shares = { partner_fee_cents: 1_000, splits: [split(shop.receiver, 8_750)] }
  expect(await create(shop, shares)).toMatchObject({ value: { order: shares } })
})

test('refuses what exceeds the plan or the merchant’s amount, and stores no order', async () => {
  const shop = await newShop()
  const { receiver } = shop
  expect(await create(shop, { partner_fee_cents: 1_001 })).toEqual(
    refusal('partner_fee_cents', 'too_big', 'at most 1000'),
  )
  expect(await create(shop, { partner_fee_cents: 1_000, splits: [split(receiver, 8_751)] })).toEqual(
    refusal('splits', 'too_big', 'at most 8750'),
  )
  // A tenth of 105 is 10.5: rounded down, so that the fee is not above the percentage.
  expect(await create(shop, { amount_cents: 105, partner_fee_cents: 11 })).toEqual(
    refusal('partner_fee_cents', 'too_big', 'at most 10'),
  )
  expect(await countOrders(payments.db, shop.partner)).toEqual({ count: 0 })
})

test('allows no partner fee under the built-in plan, but splits', async () => {
  const shop = { ...(await fiat.newShop()), receiver: '' }
  expect(await create(shop, { partner_fee_cents: 1 })).toEqual(
    refusal('partner_fee_cents', 'too_big', 'at most 0'),
  )
  const receiver = payments.newCustomer(shop.partner).customerId
  expect(await create(shop, { splits: [split(receiver, 9_750)] })).toMatchObject({ ok: true })
})

test('refuses malformed shares by field and reason', async () => {
  const shop = await newShop()
  const { receiver, customerId } = shop
  const many = Array.from({ length: 21 }, () => split(newId('relationship'), 1))
  for (const [change, expected] of [
    [{ partner_fee_cents: -1 }, refusal('partner_fee_cents', 'too_small', 'at least 0')],
    [{ partner_fee_cents: 0.5 }, refusal('partner_fee_cents', 'invalid_type', 'an integer')],
    [{ splits: [split(receiver, 0)] }, refusal('splits.0.amount_cents', 'too_small', 'at least 1')],
    [{ splits: many }, refusal('splits', 'too_many', 'at most 20 items')],
    [{ splits: [{ ...split(receiver, 1), percent: 3 }] }, refusal('splits.0.percent', 'unknown_field')],
    [
      { splits: [split(receiver, 1), split(receiver, 2)] },
      refusal('splits.1.partner_customer_id', 'invalid_value', 'each receiver once'),
    ],
    [
      { splits: [split(customerId, 1)] },
      refusal('splits.0.partner_customer_id', 'invalid_value', 'another customer than that of the order'),
    ],
  ] as const)
    expect(await create(shop, change)).toEqual(expected)
})

test('does not find receivers that are not active customers of the caller', async () => {
  const shop = await newShop()
  // Known here, as another partner's customer.
  const strangers = (await fiat.newShop()).customerId
  const revoked = payments.newCustomer(shop.partner).customerId
  await payments.onboarding.publish(payments.onboarding.change(revoked, { status: 'revoked' }))
  for (const unknown of [strangers, revoked, newId('relationship'), 'pcu_x', '']) {
    const answer = await create(shop, { splits: [split(shop.receiver, 1), split(unknown, 1)] })
    expect(answer).toEqual(
      unknown === ''
        ? refusal('splits.1.partner_customer_id', 'too_short', 'at least 1 character')
        : { ok: false, code: 'resource_not_found', details: [{ field: 'splits.1.partner_customer_id' }] },
    )
  }
})

test('checks in the documented order: receivers before the capability, and that before amounts', async () => {
  const shop = await newShop()
  const tooMuch = { partner_fee_cents: 9_000 }
  const unknown = { ...tooMuch, splits: [split(newId('relationship'), 1)] }
  await fiat.setCardCapability(shop.customerId, { enabled: false, available: false, reason: null })
  await payments.eventually(async () => {
    expect(await create(shop, tooMuch)).toMatchObject({ code: 'capability_not_enabled' })
  })
  expect(await create(shop, unknown)).toMatchObject({ code: 'resource_not_found' })
})

test('replays an order whose receiver was revoked, and refuses its key with other shares', async () => {
  const shop = await newShop()
  const body = { splits: [split(shop.receiver, 500)] }
  const first = await create(shop, body, 'shared-1')
  await payments.onboarding.publish(payments.onboarding.change(shop.receiver, { status: 'revoked' }))
  await payments.eventually(async () => {
    expect(await create(shop, body)).toMatchObject({ code: 'resource_not_found' })
  })
  expect(await create(shop, body, 'shared-1')).toMatchObject({ ok: true, value: first.ok && first.value })
  expect(await create(shop, { splits: [split(shop.receiver, 501)] }, 'shared-1')).toMatchObject({
    code: 'idempotency_key_reuse',
  })
  expect(await create(shop, { ...body, partner_fee_cents: 1 }, 'shared-1')).toMatchObject({
    code: 'idempotency_key_reuse',
  })
})

test('finds a receiver that is not projected yet, and queries onboarding once for several unknown ones', async () => {
  const partner: Partner = (await newShop()).partner
  const shop = { ...(await fiat.newShop(partner)), receiver: payments.newCustomer(partner).customerId }
  expect(await create(shop, { splits: [split(shop.receiver, 1)] })).toMatchObject({ ok: true })
  const before = payments.onboarding.asked()
  const splits = Array.from({ length: 20 }, () => split(newId('relationship'), 1))
  expect(await create(shop, { splits })).toMatchObject({ code: 'resource_not_found' })
  expect(payments.onboarding.asked() - before).toBe(1)
})
