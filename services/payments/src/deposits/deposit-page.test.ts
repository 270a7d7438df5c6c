import { describe, expect, test } from '@jest/globals'
import type { Deposit } from '@causeway/rails/chains'
import { isValid, newEntries } from './deposit-page.ts'

const entry = (change: Partial<Deposit>): Deposit => ({
  seq: 1,
  network: 'BTC',
  asset: 'BTC',
  address: 'bc1q',
  txId: 'a',
  outputIndex: 0,
  amount: '1',
  confirmations: 0,
  blockNumber: null,
  blockHash: null,
  ...change,
})

describe('a page of the feed', () => {
  test('is read by sequence, for any order and repetition of its entries', () => {
    const deposits = [entry({ seq: 5 }), entry({ seq: 4 }), entry({ seq: 5 })]
    expect(newEntries({ deposits, next: 5 }, 3).map(({ seq }) => seq)).toEqual([4, 5])
  })

  test('adds nothing that was read before', () => {
    const deposits = [entry({ seq: 4 }), entry({ seq: 5 })]
    expect(newEntries({ deposits, next: 5 }, 4).map(({ seq }) => seq)).toEqual([5])
  })

  test('is read from the beginning when the feed has lost its log', () => {
    expect(newEntries({ deposits: [entry({ seq: 2 })], next: 2 }, 40)).toHaveLength(1)
  })

  test.each([
    ['an amount of zero', { amount: '0' }],
    ['an amount finer than the asset', { amount: '0.000000001' }],
    ['an amount with a sign', { amount: '-1' }],
    ['an output that no chain has', { outputIndex: 2 ** 31 }],
    ['confirmations that no chain has', { confirmations: 2 ** 31, blockHash: 'b' }],
    ['confirmations without a block', { confirmations: 1 }],
    ['a block without a confirmation', { blockHash: 'b' }],
  ])('rejects %s as invalid', (_, change) => {
    expect(isValid(entry(change))).toBe(false)
  })

  test('accepts an exact amount', () => {
    expect(isValid(entry({ amount: '0.00000001' }))).toBe(true)
  })
})
