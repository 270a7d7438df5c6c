import { describe, expect, it } from '@jest/globals'
import { atHour, samplePurchase } from '../../tests/sample-purchase.ts'
import { extended, letGo, nextStep, expired } from './deadlines.ts'

const MS = 1 / 3_600_000

describe('the next step of a purchase', () => {
  it.each([
    ['nothing before its tenth hour', 10 - MS, {}, null],
    ['the extension at its tenth hour', 10, {}, 'extend'],
    ['the extension first, however long it was slept through', 1_000, {}, 'extend'],
    ['nothing between extension and cap', 72 - MS, { extendedAt: atHour(10) }, null],
    ['its end at the cap', 72, { extendedAt: atHour(10) }, 'expire'],
    ['its end after the cap', 1_000, { extendedAt: atHour(80) }, 'expire'],
    ['to ask payments, before anything else', 1, { pendingAction: 'release', outcome: 'success' }, 'act'],
    [
      'to ask payments, whatever else has fallen due',
      1_000,
      { pendingAction: 'cancel', outcome: 'failure' },
      'act',
    ],
    ['the deletion of what was abandoned', 1, { outcome: 'failure', abandonedAt: atHour(1) }, 'delete'],
    ['nothing after a success', 1_000, { outcome: 'success' }, null],
    ['nothing after a failure', 1_000, { outcome: 'failure', extendedAt: atHour(10) }, null],
  ] as const)('determines the next step: %s', (_, hour, change, step) => {
    expect(nextStep(samplePurchase(change), atHour(hour))).toBe(step)
  })
})

describe('the next step of a purchase that the buyer started', () => {
  it.each([
    ['nothing at its tenth hour while nothing is paid', 10, {}, null],
    ['letting its crypto order go when that would have expired', 12, {}, 'letGo'],
    [
      'the extension at its tenth hour once the provider has the money',
      10,
      { status: 'paymentReceived' },
      'extend',
    ],
    [
      'the extension, not letting go, when the money came late',
      12,
      { status: 'extraVerification' },
      'extend',
    ],
    [
      'letting go at the cap of a crypto order that lives longer',
      72,
      { cryptoOrderExpiresAt: atHour(90) },
      'letGo',
    ],
    ['its end at the cap', 72, { extendedAt: atHour(12) }, 'expire'],
  ] as const)('determines the next step: %s', (_, hour, change, step) => {
    expect(nextStep(samplePurchase({ startedBy: 'buyer', ...change }), atHour(hour))).toBe(step)
  })

  it('releases the crypto order once it may end, and extends it no more', () => {
    const after = letGo(samplePurchase({ startedBy: 'buyer' }), atHour(12))
    expect(nextStep(after, atHour(12))).toBe('act')
    expect(after.pendingAction).toBe('release')
    expect(nextStep({ ...after, pendingAction: null, status: 'paymentReceived' }, atHour(13))).toBeNull()
  })
})

describe('a purchase', () => {
  it('is due at its cap after an extension, and is not extended again', () => {
    const before = samplePurchase()
    const after = extended(before, atHour(10.5))
    expect(after).toEqual({ ...before, extendedAt: atHour(10.5), dueAt: atHour(72) })
    expect(nextStep(after, atHour(71))).toBeNull()
  })

  it('expires for good past its cap, and payments must cancel the crypto order by force', () => {
    const before = samplePurchase({ status: 'extraVerification', extendedAt: atHour(10) })
    const after = expired(before, atHour(72))
    expect(after).toEqual({
      ...before,
      status: 'expired',
      outcome: 'failure',
      pendingAction: 'expire',
      updatedAt: atHour(72),
      dueAt: atHour(72),
      pollAt: null,
    })
    expect(nextStep(after, atHour(72))).toBe('act')
    expect(nextStep({ ...after, pendingAction: null }, atHour(1_000))).toBeNull()
  })

  it('is extended, expired and acted on in this order after a pause past all deadlines', () => {
    const now = atHour(100)
    const first = samplePurchase()
    const second = extended(first, now)
    const third = expired(second, now)
    expect([first, second, third].map((purchase) => nextStep(purchase, now))).toEqual([
      'extend',
      'expire',
      'act',
    ])
  })
})
