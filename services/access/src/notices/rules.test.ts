import { expect, test } from '@jest/globals'
import { occurrenceOf, shownName } from './rules.ts'

const copy = { partner_id: 'prt_1', partner_customer_id: 'pcu_1', type: 'requirement.created' as const }

test('does not notify the partner that raised a requirement itself', () => {
  const raisedBy = (raiser: string) =>
    occurrenceOf({
      name: 'requirement.created',
      partners: [{ ...copy, data: { raised_by: raiser } }],
      merchant: null,
    })?.partner?.isNotified
  expect(['you', 'partner', 'service'].map(raisedBy)).toEqual([false, true, true])
})

test('finds nobody to notify of other events', () => {
  expect(occurrenceOf({ name: 'payment.confirmed', partners: [], merchant: null })).toBeNull()
})

test('shows the id in place of a name that could pass for text of the platform', () => {
  const names = [
    'Café Zürich & Söhne',
    null,
    'Shop\nYour account is blocked',
    'Pay at https://evil.example',
    'www.evil.example',
    'x'.repeat(101),
    'Sh\u202Eop',
  ]
  expect(names.map((name) => shownName(name, 'cus_1'))).toEqual([
    '“Café Zürich & Söhne” (cus_1)',
    ...Array.from({ length: 6 }, () => 'the merchant cus_1'),
  ])
})
