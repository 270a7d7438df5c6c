import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { reservePlans, wallets } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { postFacts } from '../src/posting/post-facts.ts'
import { disputed, paid } from './fixtures/facts.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

const relate = async () => {
  const state = ledger.onboarding.relate()
  await ledger.onboarding.publish(state)
  const params = { customerId: state.customer_id }
  await eventually(async () => (await ledger.asStaff(reservePlans.get, { params })).ok)
  return { ...state, params }
}
type Params = Readonly<{ customerId: string }>
const get = (params: Params) => ledger.asStaff(reservePlans.get, { params })
const set = (params: Params, body: object) => ledger.asStaff(reservePlans.set, { params, body, query: {} })
const simulate = (params: Params, body: object) =>
  ledger.asStaff(reservePlans.set, { params, body, query: { simulate: 'true' } })
const end = (params: Params) => ledger.asStaff(reservePlans.end, { params })
const codeOf = (answer: Readonly<{ ok: boolean; code?: string }>) => (answer.ok ? 'done' : answer.code)

test('sets, replaces and ends a plan, and keeps its history', async () => {
  const { params, customer_id } = await relate()
  expect(await get(params)).toMatchObject({ value: { reserve_plan: null, history: [], reserved: [] } })
  expect(codeOf(await end(params))).toBe('resource_not_found')
  const first = {
    ...{ customer_id, version: 1, share_percent: 7.25, days: 90, fixed_cents: null, currency: null },
    in_force_to: null,
  }
  expect(await set(params, { share_percent: 7.25, days: 90 })).toMatchObject({
    value: { reserve_plan: first },
  })
  const second = { version: 2, share_percent: null, days: null, fixed_cents: 50_000, currency: 'EUR' }
  expect(await set(params, { fixed_cents: 50_000, currency: 'EUR' })).toMatchObject({
    value: { reserve_plan: second },
  })
  expect(await end(params)).toMatchObject({
    value: { reserve_plan: { ...second, in_force_to: expect.any(String) } },
  })
  const again = await end(params)
  expect(again).toMatchObject({ value: { reserve_plan: { ...second, in_force_to: expect.any(String) } } })
  expect(await get(params)).toMatchObject({
    value: {
      reserve_plan: null,
      history: [second, { ...first, in_force_to: expect.any(String) }],
    },
  })
})

test('reserves the share of a payment within seconds, and shows it to staff and the partner', async () => {
  const { params, partner_customer_id, partner_id } = await relate()
  await set(params, { share_percent: 10, days: 30 })
  const now = ledger.clock.now()
  await postFacts(ledger, [
    paid({
      ...{ fact_id: newId('event'), order_key: '71', order_id: newId('fiatOrder') },
      ...{ partner_id, partner_customer_id, at: now.toISOString(), available_at: now.toISOString() },
    }),
  ])
  const reserved = [{ partner_customer_id, unit: 'EUR', amount: 975 }]
  await eventually(async () => {
    const answer = await get(params)
    return answer.ok && answer.value.reserved.length > 0
  })
  expect(await get(params)).toMatchObject({ value: { reserved } })
  const asked = { params: { customerId: partner_customer_id } }
  expect(await ledger.asPartner(wallets.list, partner_id, asked)).toMatchObject({
    value: { wallets: [{ available: 8_775, reserved: 975 }] },
  })
})

test('simulates a plan over the last 180 days, and sets nothing', async () => {
  const { params, partner_id, partner_customer_id } = await relate()
  const ago = (days: number) => new Date(ledger.clock.nowMs() - days * 86_400_000).toISOString()
  const order = { order_key: '72', order_id: newId('fiatOrder'), partner_id, partner_customer_id }
  await postFacts(ledger, [
    paid({ ...order, fact_id: newId('event'), at: ago(92), available_at: ago(90) }),
    disputed({ ...order, fact_id: newId('event'), at: ago(80), amount_cents: 800, fee: null }),
  ])
  const expected = { unit: 'EUR', maximum: 975, covered: 800, taken: 800 }
  expect(await simulate(params, { share_percent: 10, days: 30 })).toMatchObject({
    // 975 for 10 days and 175 for 20 are 13,250 in 180 days.
    value: { reserve_plan: null, simulation: { units: [{ ...expected, average: 73 }] } },
  })
  expect(await simulate(params, { fixed_cents: 500, currency: 'EUR' })).toMatchObject({
    value: { simulation: { units: [{ unit: 'EUR', maximum: 500, covered: 0, taken: 800 }] } },
  })
  expect(await get(params)).toMatchObject({ value: { reserve_plan: null, history: [] } })
})

test('needs no second person for a simulation', async () => {
  const { params } = await relate()
  const prepare = (query: object) =>
    ledger.asStaff(reservePlans.prepareSetting, { params, body: { share_percent: 10, days: 30 }, query })
  expect(await prepare({ simulate: 'true' })).toMatchObject({ value: { groups: [] } })
  expect(await prepare({ simulate: 'false' })).toMatchObject({ value: { groups: ['ledger'] } })
  expect(await prepare({})).toMatchObject({ value: { groups: ['ledger'] } })
})

test.each([
  ['a share without days', { share_percent: 10 }],
  ['days without a share', { days: 10 }],
  ['a fixed amount without its currency', { fixed_cents: 100 }],
  ['a share and a fixed amount', { share_percent: 1, days: 1, fixed_cents: 100, currency: 'EUR' }],
  ['nothing', {}],
  ['a share of 0', { share_percent: 0, days: 1 }],
  ['more than the whole', { share_percent: 100.01, days: 1 }],
  ['a thousandth of a percent', { share_percent: 1.001, days: 1 }],
  ['half a day', { share_percent: 1, days: 0.5 }],
  ['three years', { share_percent: 1, days: 1_095 }],
  ['an unknown currency', { fixed_cents: 100, currency: 'ABC' }],
])('refuses a plan with %s', async (_, body) => {
  const { params } = await relate()
  expect(codeOf(await set(params, body))).toBe('invalid_request')
  expect(await get(params)).toMatchObject({ value: { history: [] } })
})

test('answers 404 for a merchant that has no relationship', async () => {
  const params = { customerId: newId('merchant') }
  const body = { share_percent: 1, days: 1 }
  const answers = [
    await get(params),
    await set(params, body),
    await end(params),
    await ledger.asStaff(reservePlans.prepareSetting, { params, body, query: {} }),
    await ledger.asStaff(reservePlans.prepareEnd, { params }),
  ]
  expect(answers.map(codeOf)).toEqual(answers.map(() => 'resource_not_found'))
})
