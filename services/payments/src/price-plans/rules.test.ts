import { expect, test } from '@jest/globals'
import type { PriceRule } from '@causeway/contracts'
import { findFeeRule, orderTerms } from './rules.ts'

const rule = (percent: number, named: Partial<PriceRule> = {}): PriceRule => ({
  rail: 'card',
  percent,
  fixed_cents: 0,
  payer: 'merchant',
  ...named,
})
const RULES = [
  rule(1),
  rule(2, { currency: 'GBP' }),
  rule(3, { kind: 'payment_link' }),
  rule(4, { kind: 'payment_link', currency: 'GBP', fixed_cents: 20, payer: 'customer' }),
  rule(5, { rail: 'crypto' }),
]

test.each([
  ['order', 'EUR', 1],
  ['order', 'GBP', 2],
  ['payment_link', 'EUR', 3],
  ['payment_link', 'GBP', 4],
] as const)(
  'charges a card %s in %s by the most specific rule, in any order of the rules',
  (kind, currency, percent) => {
    for (const rules of [RULES, RULES.toReversed()])
      expect(findFeeRule(rules, { rail: 'card', kind, currency }).percent).toBe(percent)
  },
)

test('takes the fixed amount and the payer from the rule that applies', () => {
  expect(findFeeRule(RULES, { rail: 'card', kind: 'payment_link', currency: 'GBP' })).toEqual({
    percent: 4,
    fixedCents: 20,
    payer: 'customer',
  })
})

test('charges nothing where no rule applies', () => {
  const none = { percent: 0, fixedCents: 0, payer: 'merchant' }
  expect(
    findFeeRule([rule(2, { currency: 'GBP' })], { rail: 'card', kind: 'order', currency: 'EUR' }),
  ).toEqual(none)
  expect(findFeeRule([rule(2)], { rail: 'crypto', currency: 'EUR' })).toEqual(none)
})

test('charges card orders the configured percentage, and crypto orders nothing, until a version is in force', () => {
  const none = {
    ...{ priceVersionId: null, priceRules: null, partnerFeeMaxPercent: null },
    ...{ disputeFeeCents: null, useKybChoices: null, feeHandling: null },
  }
  const terms = { priceVersionId: null, partnerFeeMaxPercent: 0, disputeFeeCents: null }
  expect(orderTerms(none, 2.5, { rail: 'card', kind: 'order', currency: 'EUR' })).toEqual({
    ...terms,
    fee: { percent: 2.5, fixedCents: 0, payer: 'merchant' },
  })
  expect(orderTerms(none, 2.5, { rail: 'crypto', currency: 'EUR' }).fee.percent).toBe(0)
})
