import { describe, expect, it } from '@jest/globals'
import { departuresUntilOver, disputeThreshold, isOverThreshold, measureOf } from './threshold.ts'

const threshold = disputeThreshold(0.01, 5, 30 * 24 * 3_600_000)
const tally = (disputes: number, paidOrders: number, disputedOrders = disputes) => ({
  disputes,
  disputedOrders,
  paidOrders,
  oldestDisputeAt: null,
})

describe('the chargeback threshold', () => {
  it.each([
    ['four of four: too few disputes', tally(4, 4), false],
    ['five of five', tally(5, 5), true],
    ['five of 499: just more than one in a hundred', tally(5, 499), true],
    ['five of 500: exactly one in a hundred, reached and not passed', tally(5, 500), false],
    ['seven of 700, where a float would be a hair above', tally(7, 700), false],
    ['five disputes of four orders in 400', tally(5, 400, 4), false],
    ['disputes of orders that were paid before the window', tally(5, 0), true],
  ])('decides: %s', (_what, counted, isOver) => {
    expect(isOverThreshold(counted, threshold)).toBe(isOver)
  })

  it.each([
    ['in steps of a hundredth of a percent', tally(7, 300), 0.0233],
    ['of orders, not of disputes', tally(6, 100, 5), 0.05],
    ['at most the whole, where orders were paid before the window', tally(5, 2), 1],
    ['and the whole where none was paid in it', tally(5, 0), 1],
  ])('reports the share %s', (_what, counted, share) => {
    expect(measureOf(counted, threshold)).toEqual({ share, threshold: 0.01, window_hours: 720 })
  })

  it('computes how many payments must leave the window until the share exceeds it', () => {
    for (const [disputes, paid] of [
      [5, 500],
      [5, 777],
      [13, 20_000],
    ] as const) {
      const departures = departuresUntilOver(tally(disputes, paid), threshold) ?? 0
      expect(isOverThreshold(tally(disputes, paid - departures), threshold)).toBe(true)
      expect(isOverThreshold(tally(disputes, paid - departures + 1), threshold)).toBe(false)
    }
    expect(departuresUntilOver(tally(4, 4), threshold)).toBeNull()
  })
})
