import type { ErrorCode, RefundPlan, RefundRequest } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import { plannedRefund } from './refund-plan.ts'

const PLAN: RefundPlan = {
  sent_by: 'signer',
  network: 'BTC',
  asset: 'BTC',
  from_address: 'bc1qfrom',
  amount: '0.0003',
  arrives: '0.00029',
  network_fee: '0.00001',
  fee_asset: 'BTC',
  obstacle: null,
}
const ASKED: RefundRequest = {
  to_address: 'bc1qto',
  expected: { amount: '0.0003', from_address: 'bc1qfrom' },
}
const CHANGED = 'The plan differs from the request.'
const textOf = (asked: RefundRequest, plan: RefundPlan | ErrorCode): string =>
  plannedRefund({ asked, plan }).toString()

test('shows a second person what would be sent, from where, to whom, by whom and for which fee', () => {
  const text = textOf(ASKED, PLAN)
  for (const part of ['0.0003 BTC', 'bc1qfrom', 'bc1qto', 'signer, automatically', '0.00001 BTC'])
    expect(text).toContain(part)
  expect(text).not.toContain(CHANGED)
})

test.each([
  ['amount', { ...PLAN, amount: '0.0004' }],
  ['source', { ...PLAN, from_address: 'bc1qother' }],
])('warns a second person when the %s is not the one that was confirmed', (_, plan) => {
  expect(textOf(ASKED, plan)).toContain(CHANGED)
})

test('shows a second person that staff have sent a refund themselves, with its transaction', () => {
  const text = textOf({ ...ASKED, sent_by_hand: true, tx_id: 'ab12' }, PLAN)
  expect(text).toContain('Staff, from their own wallet')
  expect(text).toContain('ab12')
  expect(text).not.toContain('Maximum network fee')
})

test.each([
  ['invalid_request', 'The refund cannot be sent to this address.'],
  ['invalid_state', 'The money can no longer be refunded.'],
  ['temporarily_unavailable', 'The refund plan is temporarily unavailable.'],
] as const)('shows a second person why there is no plan: %s', (code, title) => {
  expect(textOf(ASKED, code)).toContain(title)
})
