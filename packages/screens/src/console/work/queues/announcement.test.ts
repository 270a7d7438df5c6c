import { expect, test } from '@jest/globals'
import { readAnnouncement } from './announcement.ts'

const NOW = new Date('2026-11-28T10:00:00.000Z')
const read = (fields: Record<string, string>) =>
  readAnnouncement(
    new URLSearchParams({
      ...{ recipient: ' cus_1 ', amount: '1250.00', currency: 'eur', scheduled_for: '2026-12-01T10:00' },
      ...fields,
    }),
    NOW,
  )

test('reads an amount in major units of its currency, and a time in UTC', () => {
  expect(read({})).toEqual({
    recipient: 'cus_1',
    terms: { amount_cents: 125_000, currency: 'EUR', scheduled_for: '2026-12-01T10:00:00.000Z' },
    errors: {},
  })
  expect(read({ amount: '1250', currency: 'JPY' }).terms.amount_cents).toBe(1_250)
})

test('refuses an amount that the currency cannot have, and a time that has passed', () => {
  expect(read({ amount: '12.345' }).errors).toEqual({
    amount: 'Enter a number with at most 2 decimals, for example 1250.00.',
  })
  for (const past of ['2026-11-28T10:00', '2020-01-01T00:00', 'tomorrow', ''])
    expect(read({ scheduled_for: past }).errors).toEqual({
      scheduled_for: 'Enter a time in the future.',
    })
})
