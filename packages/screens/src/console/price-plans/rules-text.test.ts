import { expect, test } from '@jest/globals'
import { readRules, writeRule } from './rules-text.ts'

const TEXT = [
  'card any any 2.5% 0 merchant',
  'card payment_link EUR 1.4% 0.25 customer',
  'crypto any JPY 1% 30 merchant',
]

test('reads what it writes, with amounts in major units', () => {
  const rules = readRules(TEXT.join('\r\n'))
  expect(rules).toEqual([
    { rail: 'card', percent: 2.5, fixed_cents: 0, payer: 'merchant' },
    { rail: 'card', kind: 'payment_link', percent: 1.4, fixed_cents: 25, currency: 'EUR', payer: 'customer' },
    { rail: 'crypto', percent: 1, fixed_cents: 30, currency: 'JPY', payer: 'merchant' },
  ])
  if (!('badLine' in rules)) expect(rules.map(writeRule)).toEqual(TEXT)
})

test.each([
  ['card any any 2.5% 0.25 merchant'],
  ['card any EUR 2.505% 0 merchant'],
  ['card any EUR 1% 0.255 merchant'],
  ['card any EUR 1% merchant'],
  ['cash any EUR 1% 0 merchant'],
])('names the line of %s as one that is no rule', (line) => {
  expect(readRules(`card any any 1% 0 merchant\n\n${line}`)).toEqual({ badLine: 3 })
})
