import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { adjustments } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { postFacts } from '../src/posting/post-facts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { disputed } from './fixtures/facts.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
/** The partner and relationship of most tests. */
let partner: string
let relationship: string
const reason = 'Goodwill for a lost parcel'

const relate = async () => {
  const state = ledger.onboarding.relate()
  await ledger.onboarding.publish(state)
  const { partner_customer_id } = state
  const body = { partner_customer_id, unit: 'EUR', amount: 1, reason }
  await eventually(async () => (await ledger.asStaff(adjustments.prepareCreation, { body })).ok)
  return state
}
beforeAll(async () => {
  ledger = await startForTests()
  ;({ partner_id: partner, partner_customer_id: relationship } = await relate())
})
afterAll(() => ledger.stop())

const adjust = (change: object, idempotencyKey?: string) =>
  ledger.asStaff(adjustments.create, {
    body: { partner_customer_id: relationship, unit: 'EUR', amount: 100, reason, ...change },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })
const sumOf = async (account: string) => (await ledger.sums())[account] ?? 0n
const codeOf = (answer: Readonly<{ ok: boolean; code?: string }>) => (answer.ok ? 'done' : answer.code)

test('moves an amount between suspense and the available balance, and back', async () => {
  const answer = await adjust({ amount: 700 })
  expect(answer).toMatchObject({
    value: {
      adjustment: {
        adjustment_id: expect.stringMatching(/^adj_/),
        journal_id: expect.stringMatching(/^jnl_/),
        partner_customer_id: relationship,
        partner_id: null,
        unit: 'EUR',
        amount: 700,
        reason,
        available: 700,
      },
    },
  })
  expect(await adjust({ amount: -200 })).toMatchObject({
    value: { adjustment: { amount: -200, available: 500 } },
  })
  expect(await ledger.sums()).toEqual({
    [`${relationship}:available EUR`]: 500n,
    'suspense:EUR EUR': -500n,
  })
  const rows = await ledger.sql(
    'SELECT e.kind, e.amount::integer AS amount FROM books.entries AS e ORDER BY e.seq',
  )
  expect(rows).toEqual([
    { kind: 'adjustment', amount: 700 },
    { kind: 'adjustment', amount: -200 },
  ])
})

test('adjusts the earnings of a partner, in an asset too', async () => {
  const own = { partner_customer_id: undefined, partner_id: partner, unit: 'ETH/USDC' }
  expect(await adjust({ ...own, amount: '12.5' })).toMatchObject({
    value: { adjustment: { partner_id: partner, partner_customer_id: null, available: '12.5' } },
  })
  expect(await adjust({ ...own, amount: '-12.500001' })).toMatchObject({
    code: 'amount_exceeds_available',
    details: [{ available: '12.5' }],
  })
  expect(await adjust({ ...own, amount: '-12.5' })).toMatchObject({
    value: { adjustment: { available: '0' } },
  })
})

describe('an adjustment', () => {
  test('is refused if it takes the balance below zero, and posted if it raises a negative balance', async () => {
    const { partner_customer_id } = await relate()
    const own = { partner_customer_id }
    expect(await adjust({ ...own, amount: -1 })).toMatchObject({
      code: 'amount_exceeds_available',
      details: [{ available: 0 }],
    })
    await postFacts(ledger, [disputed({ ...own, amount_cents: 50, fee: null })])
    expect(await adjust({ ...own, amount: -1 })).toMatchObject({ details: [{ available: -50 }] })
    expect(await adjust({ ...own, amount: 20 })).toMatchObject({ value: { adjustment: { available: -30 } } })
  })

  test.each([
    ['an owner that is unknown', { partner_customer_id: newId('relationship') }, 'resource_not_found'],
    ['two owners', { partner_id: newId('partner') }, 'invalid_request'],
    ['no owner', { partner_customer_id: undefined }, 'invalid_request'],
    ['an unknown unit', { unit: 'ETH/BTC' }, 'invalid_request'],
    ['an amount of 0', { amount: 0 }, 'invalid_request'],
    ['half a cent', { amount: 0.5 }, 'invalid_request'],
    ['a decimal of a currency', { amount: '1.00' }, 'invalid_request'],
    ['an integer of an asset', { unit: 'ETH/USDC', amount: 1 }, 'invalid_request'],
    ['more decimals than the asset has', { unit: 'ETH/USDC', amount: '0.0000001' }, 'invalid_request'],
    ['an amount of 0 of an asset', { unit: 'ETH/USDC', amount: '0.0' }, 'invalid_request'],
    ['no reason', { reason: '' }, 'invalid_request'],
  ])('is refused with %s', async (_, change, code) => {
    const before = await ledger.sums()
    expect(codeOf(await adjust(change))).toBe(code)
    expect(await ledger.sums()).toEqual(before)
  })
})

test('adjusts once for an Idempotency-Key, and refuses the key with another request', async () => {
  const before = await sumOf(`${relationship}:available EUR`)
  const [first, second] = await Promise.all([adjust({}, 'key-1'), adjust({}, 'key-1')])
  expect(first).toMatchObject({ ok: true })
  expect(second).toMatchObject({ value: first.ok ? first.value : null })
  expect(codeOf(await adjust({ amount: 101 }, 'key-1'))).toBe('idempotency_key_reuse')
  expect(await sumOf(`${relationship}:available EUR`)).toBe(before + 100n)
  expect(codeOf(await adjust({ amount: -1_000_000 }, 'key-2'))).toBe('amount_exceeds_available')
  expect(codeOf(await adjust({}, 'key-2'))).toBe('done')
})

test('never goes below zero when 32 adjustments of 100 race for a balance of 1,000', async () => {
  const { partner_customer_id } = await relate()
  await adjust({ partner_customer_id, amount: 1_000 })
  const answers = await Promise.all(
    Array.from({ length: 32 }, () => adjust({ partner_customer_id, amount: -100 })),
  )
  const codes = answers.map(codeOf)
  expect(codes.filter((code) => code === 'done')).toHaveLength(10)
  expect(codes.filter((code) => code === 'amount_exceeds_available')).toHaveLength(22)
  expect(await sumOf(`${partner_customer_id}:available EUR`)).toBe(0n)
  expect(await verifyBooks(ledger.db.pooled, ledger.clock.now())).toEqual([])
})

test('refuses an invalid adjustment before it waits for a second person', async () => {
  const prepare = (change: object) =>
    ledger.asStaff(adjustments.prepareCreation, {
      body: { partner_customer_id: relationship, unit: 'EUR', amount: 1, reason, ...change },
    })
  expect(await prepare({})).toMatchObject({ value: { before: null, groups: ['ledger'] } })
  expect(codeOf(await prepare({ amount: -99_999_999 }))).toBe('amount_exceeds_available')
  expect(codeOf(await prepare({ partner_customer_id: newId('relationship') }))).toBe('resource_not_found')
})
