import { describe, expect, it } from '@jest/globals'
import type { CardRefund } from '@causeway/rails/cards'
import { compare, type OurRefund } from './comparison.ts'
import { REFUND_STATES } from '../refunds/state.ts'

const now = new Date('2026-11-21T12:00:00Z')
const at = (agoMs: number) => new Date(now.getTime() - agoMs)
const theirs: CardRefund = {
  processorRefundId: 're_1',
  refundId: 'rfd_1',
  orderKey: '1001',
  amountCents: 500,
  currency: 'EUR',
  status: 'succeeded',
  createdAt: now,
}
const ours: OurRefund = { state: 'reconciled', amountCents: 500, currency: 'EUR', createdAt: at(86_400_000) }

describe('a refund of the processor’s list', () => {
  it('is ignored if its order is not on the platform', () => {
    expect(compare({ ...theirs, orderKey: null }, null, now)).toBe('not_ours')
    expect(compare({ ...theirs, orderKey: 'shelf 4' }, null, now)).toBe('not_ours')
  })

  it.each([
    ['succeeded', 'unrecorded'],
    ['pending', 'agrees'],
    ['failed', 'agrees'],
  ] as const)('is classified without a record: %s there means %s', (status, result) => {
    expect(compare({ ...theirs, status }, null, now)).toBe(result)
  })

  it('reports a different amount or currency in every state', () => {
    for (const state of REFUND_STATES) {
      expect(compare({ ...theirs, amountCents: 501 }, { ...ours, state }, now)).toBe('other_amount')
      expect(compare({ ...theirs, currency: 'USD' }, { ...ours, state }, now)).toBe('other_amount')
    }
  })

  it.each([
    ['reconciled', 'succeeded', 'agrees'],
    ['reconciled', 'failed', 'late_failure'],
    ['succeeded', 'failed', 'late_failure'],
    ['reconciled', 'pending', 'other_state'],
    ['failed', 'failed', 'agrees'],
    ['failed', 'pending', 'other_state'],
    ['failed', 'succeeded', 'late_success'],
    ['unknown', 'pending', 'agrees'],
    ['unknown', 'succeeded', 'other_state'],
    ['sent', 'succeeded', 'other_state'],
    ['succeeded', 'succeeded', 'other_state'],
  ] as const)(
    'is classified by both states after a long time: %s here and %s there means %s',
    (state, status, result) => {
      expect(compare({ ...theirs, status }, { ...ours, state }, now)).toBe(result)
    },
  )

  it.each(['sent', 'unknown', 'succeeded'] as const)(
    'is left to its call and the completion job while it is young and %s',
    (state) => {
      expect(compare(theirs, { ...ours, state, createdAt: at(60_000) }, now)).toBe('agrees')
    },
  )
})
