import { describe, expect, test } from '@jest/globals'
import type { CryptoOrderStatus } from '@causeway/contracts'
import { fromUnits } from '@causeway/rails'
import fc from 'fast-check'
import { settle, toTolerance, type Payable } from './settlement.ts'

const order = (status: CryptoOrderStatus, received = '0'): Payable => ({
  status,
  asset: 'BTC',
  amount: '0.0005',
  received,
})
const HALF_PERCENT = toTolerance(0.005)
const OFF = toTolerance(0)

describe('settling a deposit', () => {
  test.each([
    ['pending', '0.0005', 'paid', 'payment.confirmed', false],
    ['pending', '0.0004', 'underpaid', 'payment.underpaid', false],
    ['underpaid', '0.0004', 'underpaid', 'payment.underpaid', false],
    ['underpaid', '0.0005', 'paid', 'payment.confirmed', false],
    ['expired', '0.0004', 'expired', null, true],
    ['expired', '0.0005', 'paid', 'payment.confirmed', false],
    ['paid', '0.0005', 'paid', null, false],
    ['cancelled', '0.0005', 'cancelled', null, true],
    ['refunded', '0.0005', 'refunded', null, true],
  ] as const)('%s + %s becomes %s', (status, amount, becomes, event, isLate) => {
    expect(settle(order(status), { amount }, OFF)).toEqual({
      status: becomes,
      received: amount,
      event,
      isLate,
    })
  })

  test.each([
    ['0.0004975', 'paid'],
    ['0.00049749', 'underpaid'],
  ])('with half a percent of tolerance %s is %s', (amount, status) => {
    expect(settle(order('pending'), { amount }, HALF_PERCENT).status).toBe(status)
  })

  test('without tolerance an order that lacks the smallest unit is underpaid', () => {
    expect(settle(order('pending'), { amount: '0.00049999' }, OFF).status).toBe('underpaid')
    expect(settle(order('pending', '0.00049999'), { amount: '0.00000001' }, OFF).status).toBe('paid')
  })

  test('tolerances with many decimals stay exact', () => {
    expect(toTolerance(0.005)).toBe(5_000_000n)
    expect(toTolerance(0.000_000_001)).toBe(1n)
    expect(toTolerance(0.3)).toBe(300_000_000n)
  })

  test('however a payment is split, it is paid exactly when its parts reach the due amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 21n }),
        fc.array(fc.bigInt({ min: 1n, max: 10n ** 20n }), { minLength: 1, maxLength: 12 }),
        (due, parts) => {
          let state: Payable = { status: 'pending', asset: 'ETH', amount: fromUnits(due, 18), received: '0' }
          let sum = 0n
          for (const part of parts) {
            sum += part
            state = { ...state, ...settle(state, { amount: fromUnits(part, 18) }, OFF) }
            expect(state).toMatchObject({
              status: sum >= due ? 'paid' : 'underpaid',
              received: fromUnits(sum, 18),
            })
          }
        },
      ),
    )
  })
})
