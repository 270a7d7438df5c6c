import { newId, queryNone, queryOne } from '@causeway/chassis'
import { pricePlans, type PricePlan } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { z } from 'zod'
import { createCardCalls, type CardCalls } from '../card-calls.ts'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'

type PlanBody = z.input<(typeof pricePlans.create)['body']>
type Rule = PlanBody['rules'][number]
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

const STAFF = { kind: 'operator', actor: 'finance' } as const
const DEFAULT_PLAN_ID = 'ppl_00000000000000000000000000'

const create = (body: unknown) => payments.ask(pricePlans.create, STAFF, { body })
/** Stores a plan whose card rule has this percentage, or a version of one. */
const store = async (
  percent: number,
  change: Partial<PlanBody> = {},
  rule: Partial<Rule> = {},
): Promise<PricePlan> => {
  const rules = [{ rail: 'card' as const, percent, payer: 'merchant' as const, ...rule }]
  const stored = await create({ name: `${percent} %`, rules, ...change })
  if (!stored.ok) throw new Error(`Not stored: ${JSON.stringify(stored)}`)
  return stored.value.price_plan
}
const assignTo = {
  partner: (partnerId: string, pricePlanId: string | null) =>
    payments.ask(pricePlans.assignToPartner, STAFF, {
      params: { partnerId },
      body: { price_plan_id: pricePlanId },
    }),
  merchant: (customerId: string, pricePlanId: string | null) =>
    payments.ask(pricePlans.assignToMerchant, STAFF, {
      params: { customerId },
      body: { price_plan_id: pricePlanId },
    }),
}
const merchantOf = ({ customerId }: Shop) => payments.onboarding.change(customerId, {}).customer_id
const order = ({ partner, customerId, integrationId }: Shop, change = {}) =>
  fiat.newOrder(partner, customerId, integrationId, change)
const percentOf = async (shop: Shop) => (await order(shop)).service_fee_percent
const versionOf = async (orderId: string) =>
  z
    .object({ price_plan_version_id: z.string().nullable() })
    .parse(JSON.parse((await fiat.storedRow(orderId)) ?? '{}')).price_plan_version_id
const run = (text: string) => queryNone({ name: `test.${text.slice(0, 20)}`, text })(payments.db)

test('charges by the plan of the merchant, else of its partner, else by the default plan', async () => {
  const shop = await fiat.newShop()
  const other = await fiat.newShop(shop.partner)
  expect(await percentOf(shop)).toBe(2.5)
  const [ofPartner, ofMerchant] = [await store(1), await store(3)]
  expect(await assignTo.partner(shop.partner.partnerId, ofPartner.price_plan_id)).toMatchObject({
    ok: true,
    value: { assignment: { partner_id: shop.partner.partnerId, price_plan_id: ofPartner.price_plan_id } },
  })
  await assignTo.merchant(merchantOf(shop), ofMerchant.price_plan_id)
  expect([await percentOf(shop), await percentOf(other)]).toEqual([3, 1])
  await assignTo.merchant(merchantOf(shop), null)
  expect(await percentOf(shop)).toBe(1)
  await assignTo.partner(shop.partner.partnerId, null)
  expect(await percentOf(shop)).toBe(2.5)
})

test('states the plan that staff chose for a partner and for a merchant', async () => {
  const shop = await fiat.newShop()
  const { partnerId } = shop.partner
  const customerId = merchantOf(shop)
  const ofPartner = () => payments.ask(pricePlans.getOfPartner, STAFF, { params: { partnerId } })
  const ofMerchant = () => payments.ask(pricePlans.getOfMerchant, STAFF, { params: { customerId } })
  expect([await ofPartner(), await ofMerchant()]).toMatchObject([
    { value: { assignment: null } },
    { value: { assignment: null } },
  ])
  const { price_plan_id } = await store(1)
  const assigned = await assignTo.partner(partnerId, price_plan_id)
  if (!assigned.ok) throw new Error(assigned.code)
  expect(await ofPartner()).toMatchObject({ value: assigned.value })
  expect(await ofMerchant()).toMatchObject({ value: { assignment: null } })
  await assignTo.merchant(customerId, price_plan_id)
  await assignTo.merchant(customerId, null)
  expect(await ofMerchant()).toMatchObject({
    value: { assignment: { partner_id: null, customer_id: customerId, price_plan_id: null } },
  })
})

test('creates one plan for calls with one key, also when they race or come after the plan is in force', async () => {
  const inAnHour = new Date(payments.clock.nowMs() + 3_600_000).toISOString()
  const body = { name: 'Keyed', rules: [], effective_at: inAnHour }
  const idempotencyKey = newId('request')
  const createKeyed = (change = {}) =>
    payments.ask(pricePlans.create, STAFF, { body: { ...body, ...change }, idempotencyKey })
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => createKeyed()))
  if (!first?.ok) throw new Error(first?.code)
  payments.clock.advance(2 * 3_600_000)
  for (const other of [...others, await createKeyed()])
    expect(other).toMatchObject({ ok: true, value: first.value })
  expect(await createKeyed({ name: 'Other' })).toMatchObject({ code: 'idempotency_key_reuse' })
})

test('stores with an order the version that applied, and none under the built-in terms', async () => {
  const shop = await fiat.newShop()
  expect(await versionOf((await order(shop)).order_id)).toBeNull()
  const plan = await store(1)
  await assignTo.merchant(merchantOf(shop), plan.price_plan_id)
  expect(await versionOf((await order(shop)).order_id)).toBe(plan.versions[0]?.price_plan_version_id)
})

test('computes the fee from the percentage and the fixed amount of the currency, with the payer of the rule', async () => {
  const shop = await fiat.newShop()
  const plan = await store(1.4, {}, { fixed_cents: 25, currency: 'EUR', payer: 'customer' })
  await assignTo.merchant(merchantOf(shop), plan.price_plan_id)
  expect(await order(shop)).toMatchObject({
    total_cents: 10_165,
    amount_cents: 10_000,
    service_fee_cents: 165,
    service_fee_percent: 1.4,
    service_fee_payer: 'customer',
  })
  expect(await order(shop, { service_fee_payer: 'merchant' })).toMatchObject({
    total_cents: 10_000,
    amount_cents: 9_835,
    service_fee_payer: 'merchant',
  })
  expect(await order(shop, { currency: 'USD' })).toMatchObject({ service_fee_cents: 0 })
})

test('refuses an order whose fee is above its price, and charges one whose fee is its price', async () => {
  const shop = await fiat.newShop()
  const plan = await store(0, {}, { fixed_cents: 50, currency: 'EUR', payer: 'customer' })
  await assignTo.merchant(merchantOf(shop), plan.price_plan_id)
  const body = { integration_id: shop.integrationId, amount_cents: 49, currency: 'EUR' }
  const refused = { code: 'invalid_request', details: [{ field: 'amount_cents', reason: 'too_big' }] }
  expect(await fiat.create(shop.partner, shop.customerId, body)).toMatchObject(refused)
  expect(
    await fiat.create(shop.partner, shop.customerId, { ...body, service_fee_payer: 'merchant' }),
  ).toMatchObject(refused)
  expect(await order(shop, { amount_cents: 50 })).toMatchObject({ total_cents: 100, service_fee_cents: 50 })
})

test('keeps the version of an order that is paid, or whose key is replayed, after the plan has changed', async () => {
  const shop = await fiat.newShop()
  const plan = await store(1)
  await assignTo.merchant(merchantOf(shop), plan.price_plan_id)
  const { partner, customerId, integrationId } = shop
  const body = { integration_id: integrationId, amount_cents: 10_000, currency: 'EUR' }
  const key = newId('request')
  const made = await fiat.create(partner, customerId, body, key)
  if (!made.ok) throw new Error(made.code)
  // A fee that would be refused now.
  await store(100, { price_plan_id: plan.price_plan_id }, { fixed_cents: 1, currency: 'EUR' })
  expect(await fiat.create(partner, customerId, body, key)).toMatchObject({ value: made.value, replay: {} })
  await cards.pay(made.value.order)
  const paid = await fiat.get(partner, made.value.order.order_key)
  expect(paid).toMatchObject({ value: { order: { status: 'paid', service_fee_cents: 100 } } })
  const [event] = (await payments.eventsOf(made.value.order.order_id)).slice(-1)
  expect(event?.ledger_facts).toMatchObject([{ service_fee_cents: 100 }])
})

test('completes an order under the version with which an interrupted call recorded it', async () => {
  const shop = await fiat.newShop()
  const plan = await store(1)
  await assignTo.merchant(merchantOf(shop), plan.price_plan_id)
  const body = { integration_id: shop.integrationId, amount_cents: 10_000, currency: 'EUR' }
  await run(`CREATE FUNCTION fail_binding() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$`)
  await run('CREATE TRIGGER fail_binding BEFORE UPDATE ON fiat_orders EXECUTE FUNCTION fail_binding()')
  const key = newId('request')
  expect(await fiat.create(shop.partner, shop.customerId, body, key)).toMatchObject({
    code: 'internal_error',
  })
  await run('DROP FUNCTION fail_binding() CASCADE')
  await store(9, { price_plan_id: plan.price_plan_id })
  expect(await fiat.create(shop.partner, shop.customerId, body, key)).toMatchObject({
    value: { order: { service_fee_percent: 1 } },
    replay: {},
  })
})

test('applies a version from its instant on, and the plan above until the first one is in force', async () => {
  const shop = await fiat.newShop()
  const inAnHour = new Date(payments.clock.now().getTime() + 3_600_000).toISOString()
  const plan = await store(1, { effective_at: inAnHour })
  await assignTo.merchant(merchantOf(shop), plan.price_plan_id)
  expect(await percentOf(shop)).toBe(2.5)
  payments.clock.advance(3_600_000)
  expect(await percentOf(shop)).toBe(1)
})

test('lists the plans with their newest versions and the one in force, the default plan first', async () => {
  const inAnHour = new Date(payments.clock.now().getTime() + 3_600_000).toISOString()
  const { price_plan_id: pricePlanId } = await store(1, { partner_fee_max_percent: 7.25 })
  for (const percent of [2, 3, 4, 5, 6, 7])
    await store(percent, { price_plan_id: pricePlanId, name: 'Renamed', effective_at: inAnHour })
  const listed = await payments.ask(pricePlans.list, STAFF, { query: {} })
  if (!listed.ok) throw new Error(listed.code)
  const [first] = listed.value.price_plans
  expect(first).toMatchObject({
    price_plan_id: DEFAULT_PLAN_ID,
    is_default: true,
    versions: [
      {
        price_plan_version_id: null,
        number: 0,
        rules: [{ rail: 'card', percent: 2.5, fixed_cents: 0, payer: 'merchant' }],
        in_force: true,
        partner_fee_max_percent: 0,
      },
    ],
  })
  const found = listed.value.price_plans.find((plan) => plan.price_plan_id === pricePlanId)
  expect(found).toMatchObject({ name: 'Renamed', is_default: false })
  expect(found?.versions.map(({ number, in_force: inForce }) => [number, inForce])).toEqual([
    [7, false],
    [6, false],
    [5, false],
    [4, false],
    [3, false],
    [1, true],
  ])
  expect(found?.versions.at(-1)).toMatchObject({ partner_fee_max_percent: 7.25, created_by: 'finance' })
})

test('numbers the versions of concurrent calls one after another', async () => {
  const { price_plan_id: pricePlanId } = await store(1)
  const stored = await Promise.all(Array.from({ length: 4 }, () => store(2, { price_plan_id: pricePlanId })))
  const count = queryOne({
    name: 'test.count-versions',
    parameters: { id: 'text' },
    text: 'SELECT count(*) AS versions FROM price_plan_versions WHERE price_plan_id = :id',
    row: z.object({ versions: z.coerce.number() }),
  })
  expect(stored).toHaveLength(4)
  expect(await count(payments.db, { id: pricePlanId })).toEqual({ versions: 5 })
})

test.each([
  [{ effective_at: '2020-01-01T00:00:00Z' }, { field: 'effective_at', reason: 'invalid_value' }],
  [
    { rules: [{ rail: 'card', percent: 2.505, payer: 'merchant' }] },
    { field: 'rules.0.percent', reason: 'invalid_value', expected: 'at most 2 decimals' },
  ],
  [
    { rules: [{ rail: 'card', percent: 101, payer: 'merchant' }] },
    { field: 'rules.0.percent', reason: 'too_big' },
  ],
  [
    { rules: [{ rail: 'card', percent: 1, fixed_cents: 5, payer: 'merchant' }] },
    { field: 'rules.0.currency', reason: 'invalid_value' },
  ],
  [
    { rules: [{ rail: 'crypto', kind: 'order', percent: 1, payer: 'merchant' }] },
    { field: 'rules.0.kind', reason: 'invalid_value' },
  ],
  [
    { rules: [1, 2].map((percent) => ({ rail: 'card', percent, currency: 'EUR', payer: 'merchant' })) },
    { field: 'rules.1.rail', reason: 'invalid_value', expected: 'one rule for each rail, kind and currency' },
  ],
])('refuses a plan with %j by the field and its reason', async (change, detail) => {
  expect(await create({ name: 'Refused', rules: [], ...change })).toMatchObject({
    code: 'invalid_request',
    details: [detail],
  })
})

test('answers that an unknown plan is not found, for a version as for an assignment', async () => {
  const unknown = newId('pricePlan')
  const notFound = { ok: false, code: 'resource_not_found' }
  expect(await create({ name: 'A', rules: [], price_plan_id: unknown })).toEqual(notFound)
  expect(await assignTo.partner(newPartner().partnerId, unknown)).toEqual(notFound)
  expect(await assignTo.merchant(newId('merchant'), unknown)).toEqual(notFound)
})

test.each([
  ['customer_pays', 'customer'],
  ['niftipay_absorbs', 'merchant'],
] as const)(
  'lets the merchant’s choice %s decide that the %s pays, only where the plan says so',
  async (choice, payer) => {
    const shop = await fiat.newShop()
    await payments.onboarding.publish(payments.onboarding.change(shop.customerId, { fee_handling: choice }))
    const other = payer === 'customer' ? 'merchant' : 'customer'
    const plan = await store(1, {}, { payer: other })
    await assignTo.merchant(merchantOf(shop), plan.price_plan_id)
    const payerOf = async (change = {}) => (await order(shop, change)).service_fee_payer
    expect(await payerOf()).toBe(other)
    await store(1, { price_plan_id: plan.price_plan_id, use_kyb_choices: true }, { payer: other })
    await payments.eventually(async () => expect(await payerOf()).toBe(payer))
    expect(await payerOf({ service_fee_payer: other })).toBe(other)
  },
)

test('keeps the merchant’s choice when an onboarding service that does not state it changes the relationship', async () => {
  const shop = await fiat.newShop()
  const plan = await store(1, { use_kyb_choices: true }, { payer: 'merchant' })
  await assignTo.merchant(merchantOf(shop), plan.price_plan_id)
  const payerOf = async () => (await order(shop)).service_fee_payer
  const readVersion = queryOne({
    name: 'test.relationship-version',
    parameters: { id: 'text' },
    text: 'SELECT version FROM relationships WHERE partner_customer_id = :id',
    row: z.object({ version: z.number() }),
  })
  const publish = async (choice: Readonly<{ fee_handling?: 'customer_pays' | null }>) => {
    const { fee_handling: _known, ...changed } = payments.onboarding.change(shop.customerId, {})
    const state = { ...changed, ...choice }
    await payments.onboarding.publish(state)
    await payments.eventually(async () =>
      expect(await readVersion(payments.db, { id: shop.customerId })).toEqual({ version: state.version }),
    )
  }
  await publish({ fee_handling: 'customer_pays' })
  expect(await payerOf()).toBe('customer')
  await publish({})
  expect(await payerOf()).toBe('customer')
  await publish({ fee_handling: null })
  expect(await payerOf()).toBe('merchant')
})

test('charges for a dispute what the plan of the order says, also after the plan has changed', async () => {
  const shop = await fiat.newShop()
  const plan = await store(1, { dispute_fee_cents: 2_000 })
  await assignTo.merchant(merchantOf(shop), plan.price_plan_id)
  const made = await order(shop)
  await store(1, { price_plan_id: plan.price_plan_id, dispute_fee_cents: null })
  const later = await order(shop)
  for (const each of [made, later]) {
    await cards.pay(each)
    await cards.dispute(each)
  }
  const disputesOf = async (orderId: string) =>
    (await payments.eventsOf(orderId))
      .flatMap(({ ledger_facts: facts = [] }) => facts)
      .filter((fact) => fact['kind'] === 'card_disputed')
  expect(await disputesOf(made.order_id)).toMatchObject([{ fee: null, plan_fee_cents: 2_000 }])
  const [without] = await disputesOf(later.order_id)
  expect(without).not.toHaveProperty('plan_fee_cents')
})

test('states what a payout costs under the plan that is in force, also of a relationship that it does not know', async () => {
  const [shop, other] = [await fiat.newShop(), await fiat.newShop()]
  const unknown = newId('relationship')
  const ids = [shop.customerId, other.customerId, unknown]
  const feesOf = async () => {
    const caller = { kind: 'service', service: 'ledger' } as const
    const answer = await payments.ask(pricePlans.listPayoutFees, caller, {
      body: { partner_customer_ids: ids },
    })
    if (!answer.ok) throw new Error(answer.code)
    const fees = new Map(
      answer.value.payout_fees.map((each) => [each.partner_customer_id, each.payout_fee_cents]),
    )
    return ids.map((id) => fees.get(id) ?? null)
  }
  const [charged, free] = [await store(1, { payout_fee_cents: 25 }), await store(1, { payout_fee_cents: 0 })]
  expect(await feesOf()).toEqual([null, null, null])
  await assignTo.partner(shop.partner.partnerId, charged.price_plan_id)
  expect(await feesOf()).toEqual([25, null, null])
  await assignTo.merchant(merchantOf(shop), free.price_plan_id)
  await store(0, { price_plan_id: DEFAULT_PLAN_ID, payout_fee_cents: 40 })
  expect(await feesOf()).toEqual([null, 40, 40])
})

test('changes the default plan for everybody without another one, by a version of it', async () => {
  const shop = await fiat.newShop()
  const stored = await store(4, { price_plan_id: DEFAULT_PLAN_ID, name: 'Default' })
  expect(stored.versions[0]).toMatchObject({ number: 2, in_force: true })
  expect(await percentOf(shop)).toBe(4)
})
