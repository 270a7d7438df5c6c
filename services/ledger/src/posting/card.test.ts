import { expect, test } from '@jest/globals'
import { disputed, paid, PARTNER, refunded, RELATIONSHIPS, timeOf } from '../../tests/fixtures/facts.ts'
import { linesOf } from '../../tests/fixtures/lines.ts'
import { postingsOf } from './rules.ts'

const [MERCHANT, RECEIVER] = RELATIONSHIPS
const WITH_SHARES = {
  partner_fee_cents: 300,
  splits: [{ partner_customer_id: RECEIVER, amount_cents: 1_000 }],
} as const

test('records a payment as the gross amount less its fees and splits, and releases each entry', () => {
  const [fact, release, ...others] = postingsOf(paid({ ...WITH_SHARES, splits: [...WITH_SHARES.splits] }))
  expect(others).toEqual([])
  expect([fact?.effectiveAt, fact?.dueAt, release?.effectiveAt, release?.dueAt]).toEqual([
    timeOf(0),
    null,
    timeOf(2),
    timeOf(2),
  ])
  expect(linesOf(fact)).toEqual([
    `processor:stripe:receivable -> ${MERCHANT}:pending (payment) 10000 EUR`,
    `${MERCHANT}:pending (service_fee) -> income:service_fee 250 EUR`,
    `${MERCHANT}:pending (partner_fee) -> ${PARTNER}:pending (partner_fee) 300 EUR`,
    `${MERCHANT}:pending (split) -> ${RECEIVER}:pending (split) 1000 EUR`,
  ])
  expect(linesOf(release)).toEqual([
    `${MERCHANT}:pending (release) -> ${MERCHANT}:available (payment) 10000 EUR`,
    `${MERCHANT}:available (service_fee) -> ${MERCHANT}:pending (release) 250 EUR`,
    `${MERCHANT}:available (partner_fee) -> ${MERCHANT}:pending (release) 300 EUR`,
    `${PARTNER}:pending (release) -> ${PARTNER}:available (partner_fee) 300 EUR`,
    `${MERCHANT}:available (split) -> ${MERCHANT}:pending (release) 1000 EUR`,
    `${RECEIVER}:pending (release) -> ${RECEIVER}:available (split) 1000 EUR`,
  ])
})

test('takes a refund made before the release from pending, and releases it together with the payment', () => {
  const [fact, release] = postingsOf(refunded({ service_fee_cents: 100, partner_fee_cents: 120 }))
  expect(linesOf(fact)).toEqual([
    `${MERCHANT}:pending (refund) -> processor:stripe:receivable 4000 EUR`,
    `income:service_fee -> ${MERCHANT}:pending (fee_returned) 100 EUR`,
    `${PARTNER}:pending (partner_fee) -> ${MERCHANT}:pending (partner_fee) 120 EUR`,
  ])
  expect(release?.dueAt).toBe(timeOf(2))
  expect(linesOf(release)[0]).toBe(`${MERCHANT}:available (refund) -> ${MERCHANT}:pending (release) 4000 EUR`)
})

test('takes a refund made at the moment of the release from available', () => {
  const postings = postingsOf(refunded({ at: timeOf(2) }))
  expect(postings.map(linesOf)).toEqual([
    [`${MERCHANT}:available (refund) -> processor:stripe:receivable 4000 EUR`],
  ])
})

test('takes back a refund that failed later, and names the refund', () => {
  const [fact] = postingsOf(refunded({ fact_id: 'failed-1', at: timeOf(5), reverses: 'refunded-1' }))
  expect(fact?.reverses).toBe('refunded-1')
  expect(linesOf(fact)).toEqual([`processor:stripe:receivable -> ${MERCHANT}:available (refund) 4000 EUR`])
})

test('takes a dispute from available, with its fee in its own currency and the shares returned', () => {
  const [fact, ...others] = postingsOf(
    disputed({ ...WITH_SHARES, splits: [...WITH_SHARES.splits], at: timeOf(1), estimated: true }),
  )
  expect(others).toEqual([])
  expect(fact?.estimated).toBe(true)
  expect(linesOf(fact)).toEqual([
    `${MERCHANT}:available (dispute) -> processor:stripe:receivable 6000 EUR`,
    `${PARTNER}:available (partner_fee) -> ${MERCHANT}:available (partner_fee) 300 EUR`,
    `${RECEIVER}:available (split) -> ${MERCHANT}:available (split) 1000 EUR`,
    `${MERCHANT}:available (dispute_fee) -> processor:stripe:receivable 1500 USD`,
  ])
})

test('books the fee of a price plan as income, and leaves the processor’s to its settlement line', () => {
  const [fact] = postingsOf(disputed({ fee: null, plan_fee_cents: 2_000 }))
  expect(linesOf(fact)).toEqual([
    `${MERCHANT}:available (dispute) -> processor:stripe:receivable 6000 EUR`,
    `${MERCHANT}:available (dispute_fee) -> income:service_fee 2000 EUR`,
  ])
})

test('gives a dispute back that was decided for the merchant', () => {
  const [fact] = postingsOf(disputed({ reverses: 'disputed-0', fee: null }))
  expect(linesOf(fact)).toEqual([
    `processor:stripe:receivable -> ${MERCHANT}:available (dispute_reversed) 6000 EUR`,
  ])
})

test('ignores a split for the payment’s own relationship, which would move nothing', () => {
  const [fact] = postingsOf(
    paid({ service_fee_cents: 0, splits: [{ partner_customer_id: MERCHANT, amount_cents: 5 }] }),
  )
  expect(linesOf(fact)).toEqual([`processor:stripe:receivable -> ${MERCHANT}:pending (payment) 10000 EUR`])
})
