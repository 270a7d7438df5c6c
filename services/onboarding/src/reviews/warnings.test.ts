import { expect, test } from '@jest/globals'
import type { KybWrite } from '@causeway/contracts'
import { recordFrom } from '../verifications/kyb-record.ts'
import { warningsOf } from './warnings.ts'

const NOW = new Date('2026-11-28T12:00:00Z')
const ADA = { full_name: 'Ada', date_of_birth: '1985-12-10', nationality: 'GB' } as const
const warnings = (write: KybWrite) =>
  warningsOf(recordFrom(write), NOW).map(({ field, reason }) => `${field} ${reason}`)

test.each([
  ['2008-11-28', []],
  ['2008-11-29', ['directors.0.date_of_birth under_18']],
  ['2020-01-01', ['directors.0.date_of_birth under_18']],
  ['2026-11-28', ['directors.0.date_of_birth under_18']],
  ['2026-11-29', ['directors.0.date_of_birth in_the_future']],
  ['1926-11-28', []],
  ['1926-11-27', ['directors.0.date_of_birth over_100']],
  ['0085-12-10', ['directors.0.date_of_birth over_100']],
])('marks a director who was born on %s with %j', (date, expected) => {
  expect(warnings({ directors: [{ ...ADA, date_of_birth: date }] })).toEqual(expected)
})

test.each([
  ['abc', null, false],
  ['+49 30 901820', null, true],
  ['030 901820', null, false],
  ['030 901820', 'DE', true],
  ['(020) 7946-0018 ext. 3', 'GB', true],
  ['123', 'DE', false],
  ['+999 123456789', 'DE', false],
  ['030 901820', 'AQ', false],
] as const)('takes %j with the registered address in %j for a phone number: %j', (phone, country, isOne) => {
  const write = { contact: { phone }, ...(country !== null && { registered_address: { country } }) }
  expect(warnings(write)).toEqual(isOne ? [] : ['contact.phone not_a_phone_number'])
})

test('reads a person’s phone number in the country of the person', () => {
  const director = { ...ADA, phone: '030 901820', country: 'DE' } as const
  expect(warnings({ directors: [director], registered_address: { country: 'US' } })).toEqual([])
  expect(warnings({ ubos: [{ ...ADA, ownership_percent: 30, phone: '030 901820' }] })).toEqual([
    'ubos.0.phone not_a_phone_number',
  ])
})

test('marks owners who own more than all of it together, and a company from before there were any', () => {
  const owners = [60, 40].map((percent) => ({ ...ADA, ownership_percent: percent }))
  expect(warnings({ ubos: owners })).toEqual([])
  // Added as binary fractions these are more than 100.
  const ofHundredths = [25, 43.02, 31.98].map((percent) => ({ ...ADA, ownership_percent: percent }))
  expect(warnings({ ubos: ofHundredths })).toEqual([])
  expect(warnings({ ubos: [...owners, { ...ADA, ownership_percent: 25 }] })).toEqual([
    'ubos above_100_percent',
  ])
  expect(warnings({ business: { incorporation_date: '1599-12-31' } })).toEqual([
    'business.incorporation_date before_1600',
  ])
  expect(warnings({ business: { incorporation_date: '1600-12-31' } })).toEqual([])
})

test('marks no field that is missing or was cleared', () => {
  expect(warnings({})).toEqual([])
  expect(warnings({ contact: { phone: null }, directors: [{ ...ADA, phone: null }] })).toEqual([])
})
