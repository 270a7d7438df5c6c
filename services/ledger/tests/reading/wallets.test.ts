import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { wallets } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { postFacts } from '../../src/posting/post-facts.ts'
import { deposited, paid } from '../fixtures/facts.ts'
import { startForTests, type RunningLedger } from '../running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

const HOUR_MS = 3_600_000
const inHours = (hours: number): string => new Date(ledger.clock.nowMs() + hours * HOUR_MS).toISOString()
let payments = 0
/** A payment of 100.00 EUR with a fee of 2.50, of which the partner takes 0.30, that is available in 48 hours. */
const pay = (partner: string, relationship: string, change: Partial<ReturnType<typeof paid>> = {}) =>
  postFacts(ledger, [
    paid({
      fact_id: `card_paid:wallets-${(payments += 1)}`,
      partner_id: partner,
      partner_customer_id: relationship,
      partner_fee_cents: 30,
      at: inHours(0),
      available_at: inHours(48),
      ...change,
    }),
  ])

const listOf = (partner: string, relationship: string) =>
  ledger.asPartner(wallets.list, partner, { params: { customerId: relationship } })

test('lists the four balances of a relationship by unit, and when the next part becomes available', async () => {
  const state = ledger.onboarding.relate()
  const { partner_id: partner, partner_customer_id: relationship } = state
  await pay(partner, relationship, { available_at: inHours(72) })
  await pay(partner, relationship)
  await pay(partner, relationship, { currency: 'JPY', available_at: inHours(1) })
  await pay(partner, relationship, { at: inHours(-72), available_at: inHours(-24) })
  await postFacts(ledger, [
    deposited({ fact_id: newId('event'), partner_customer_id: relationship, open: '0', applied: '0.5' }),
  ])
  const answer = await listOf(partner, relationship)
  const none = { reserved: 0, on_the_way: 0, as_of: expect.any(String) }
  expect(answer).toMatchObject({
    value: {
      wallets: [
        {
          unit: 'BTC/BTC',
          kind: 'crypto',
          network: 'BTC',
          asset: 'BTC',
          pending: '0',
          available: '0.5',
          next_available_at: null,
        },
        { unit: 'EUR', kind: 'fiat', currency: 'EUR', pending: 19_440, available: 9_720, ...none },
        { unit: 'JPY', kind: 'fiat', currency: 'JPY', pending: 9_720, available: 0, ...none },
      ],
    },
  })
  const [, eur, jpy] = answer.ok ? answer.value.wallets : []
  const dueInHours = [eur, jpy].map((wallet) =>
    Math.round((Date.parse(wallet?.next_available_at ?? '') - ledger.clock.nowMs()) / HOUR_MS),
  )
  expect(dueInHours).toEqual([48, 1])
})

test('answers 404 for what another partner owns, and 403 without the grant', async () => {
  const merchant = newId('merchant')
  const one = ledger.onboarding.relate({ customer_id: merchant })
  const other = ledger.onboarding.relate({ customer_id: merchant, grants: ['payouts'] })
  await pay(one.partner_id, one.partner_customer_id)
  await pay(other.partner_id, other.partner_customer_id)
  expect(await listOf(other.partner_id, one.partner_customer_id)).toMatchObject({
    code: 'resource_not_found',
  })
  expect(await listOf(other.partner_id, other.partner_customer_id)).toMatchObject({
    code: 'capability_not_enabled',
  })
})

test('follows a revocation and a new grant by their events, and queries onboarding only before it refuses', async () => {
  const granted = ledger.onboarding.relate()
  const { partner_id: partner, partner_customer_id: relationship } = granted
  await ledger.onboarding.publish(granted)
  await eventually(async () => {
    const before = ledger.onboarding.asked()
    return (await listOf(partner, relationship)).ok && ledger.onboarding.asked() === before
  })
  await ledger.onboarding.publish(ledger.onboarding.relate({ status: 'revoked', version: 2 }, relationship))
  await eventually(async () => !(await listOf(partner, relationship)).ok)
  // The event has not arrived yet.
  ledger.onboarding.relate({ status: 'active', version: 3 }, relationship)
  expect((await listOf(partner, relationship)).ok).toBe(true)
  await ledger.onboarding.publish({ ...granted, status: 'revoked', version: 2 })
  expect((await listOf(partner, relationship)).ok).toBe(true)
})

test('lists a partner’s own earnings from all of its relationships', async () => {
  const partner = newId('partner')
  await pay(partner, newId('relationship'))
  await pay(partner, newId('relationship'))
  await pay(newId('partner'), newId('relationship'))
  expect(await ledger.asPartner(wallets.listOwn, partner)).toMatchObject({
    value: { wallets: [{ unit: 'EUR', pending: 60, available: 0 }] },
  })
})

test('lists a merchant’s balances by relationship and in total, revoked ones included', async () => {
  const merchant = newId('merchant')
  const states = [
    ledger.onboarding.relate({ customer_id: merchant }),
    ledger.onboarding.relate({ customer_id: merchant, status: 'revoked', grants: [] }),
  ]
  for (const state of states) {
    await pay(state.partner_id, state.partner_customer_id)
    await ledger.onboarding.publish(state)
  }
  await pay(newId('partner'), newId('relationship'))
  const zero = { available: 0, reserved: 0, onTheWay: 0 }
  const expected = [
    ...states
      .map((state) => state.partner_customer_id)
      .toSorted()
      .map((partnerCustomerId) => ({ partnerCustomerId, unit: 'EUR', pending: 9_720, ...zero })),
    { partnerCustomerId: null, unit: 'EUR', pending: 19_440, ...zero },
  ]
  const listed = await eventually(async () => {
    const answer = await ledger.asMerchant(wallets.listByMerchant, merchant)
    return answer.ok && answer.value.balances.length === 3 && answer.value.balances
  })
  expect(listed).toEqual(expected)
})
