import { describe, expect, test } from '@jest/globals'
import type { CryptoOrderStatus } from '@causeway/contracts'
import { settle, toTolerance, unsettle, type Payable } from './settlement.ts'

const order = (status: CryptoOrderStatus, received: string): Payable => ({
  status,
  asset: 'BTC',
  amount: '0.0005',
  received,
  isAccepted: false,
})
const HALF_PERCENT = toTolerance(0.005)
const OFF = toTolerance(0)

describe('an additional deposit', () => {
  test.each([
    ['pending', '0.0005', 'paid', 'payment.confirmed'],
    ['pending', '0.0004', 'underpaid', 'payment.underpaid'],
    ['underpaid', '0.0004', 'underpaid', 'payment.underpaid'],
    ['underpaid', '0.0005', 'paid', 'payment.confirmed'],
    ['expired', '0.0004', 'expired', null],
    ['expired', '0.0005', 'paid', 'payment.confirmed'],
    ['paid', '0.0005', 'paid', null],
    ['cancelled', '0.0005', 'cancelled', null],
    ['refunded', '0.0005', 'refunded', null],
  ] as const)('moves an order %s with %s received to %s', (status, received, becomes, event) => {
    expect(settle(order(status, received), OFF)).toEqual({ status: becomes, event })
  })

  test.each([
    ['0.0004975', 'paid'],
    ['0.00049749', 'underpaid'],
  ])('marks an order with %s received as %s at half a percent of tolerance', (received, status) => {
    expect(settle(order('pending', received), HALF_PERCENT).status).toBe(status)
  })

  test('leaves an order underpaid that lacks the smallest unit without tolerance', () => {
    expect(settle(order('pending', '0.00049999'), OFF).status).toBe('underpaid')
    expect(settle(order('pending', '0.0005'), OFF).status).toBe('paid')
  })

  test('computes tolerances with many decimals exactly', () => {
    expect(toTolerance(0.005)).toBe(5_000_000n)
    expect(toTolerance(0.000_000_001)).toBe(1n)
    expect(toTolerance(0.3)).toBe(300_000_000n)
  })
})

describe('a removed deposit', () => {
  test.each([
    ['paid', '0.0005', false, 'paid'],
    ['paid', '0.0004', false, 'underpaid'],
    ['paid', '0', false, 'pending'],
    ['paid', '0.0004', true, 'expired'],
    ['paid', '0', true, 'expired'],
    ['paid', '0.0005', true, 'paid'],
    ['underpaid', '0.0004', false, 'underpaid'],
    ['underpaid', '0', false, 'pending'],
    ['underpaid', '0', true, 'expired'],
    ['expired', '0', true, 'expired'],
    ['cancelled', '0', true, 'cancelled'],
    ['refunded', '0.0005', true, 'refunded'],
  ] as const)(
    'moves an order %s with %s left (its time was over: %s) to %s',
    (status, received, isOver, becomes) => {
      expect(unsettle(order(status, received), OFF, isOver)).toBe(becomes)
    },
  )
})
