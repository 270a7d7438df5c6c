import { describe, expect, test } from '@jest/globals'
import type { Deposit } from '@causeway/rails'
import { isValid, readPage } from './deposit-page.ts'

const DEPTHS = { BTC: 2 }
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
  ...change,
})
const seen = (entries: Deposit[]) =>
  readPage(entries, DEPTHS).map(({ txId, outputIndex, confirmations, isConfirmed }) => [
    `${txId}:${outputIndex}`,
    confirmations,
    isConfirmed,
  ])

describe('a page of the feed', () => {
  test('has each deposit once, in its latest state', () => {
    const entries = [entry({ seq: 1 }), entry({ seq: 2, txId: 'b' }), entry({ seq: 3, confirmations: 2 })]
    expect(seen(entries)).toEqual([
      ['a:0', 2, true],
      ['b:0', 0, false],
    ])
  })

  test('is read by sequence, whatever the order and repetitions of its entries', () => {
    const late = entry({ seq: 5, confirmations: 2 })
    expect(seen([late, entry({ seq: 4, confirmations: 1 }), late])).toEqual([['a:0', 2, true]])
  })

  test('keeps a depth that was reached, even after a reorganisation', () => {
    expect(seen([entry({ seq: 1, confirmations: 2 }), entry({ seq: 2, confirmations: 0 })])).toEqual([
      ['a:0', 0, true],
    ])
  })

  test('distinguishes two outputs of one transaction', () => {
    expect(seen([entry({}), entry({ seq: 2, outputIndex: 1 })])).toEqual([
      ['a:0', 0, false],
      ['a:1', 0, false],
    ])
  })

  test.each([
    ['an amount of zero', { amount: '0' }],
    ['an amount finer than the asset', { amount: '0.000000001' }],
    ['an amount with a sign', { amount: '-1' }],
    ['an output that no chain has', { outputIndex: 2 ** 31 }],
    ['confirmations that no chain has', { confirmations: 2 ** 31 }],
  ])('holds %s for invalid', (_, change) => {
    expect(isValid(entry(change))).toBe(false)
  })

  test('accepts an exact amount', () => {
    expect(isValid(entry({ amount: '0.00000001' }))).toBe(true)
  })
})
