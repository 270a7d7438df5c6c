import { expect, test } from '@jest/globals'
import {
  afterAnswer,
  afterStall,
  afterTransportFailure,
  capacityWithin,
  expectedCostMs,
  FRESH,
  isHealthy,
  isProbing,
} from './health.ts'

const fail = (times: number, nowMs: number) => {
  let health = FRESH
  for (let count = 0; count < times; count += 1) health = afterTransportFailure(health, 5, nowMs)
  return health
}

test('four transport failures in a row leave the connections as they are, the fifth begins probing', () => {
  expect(isProbing(fail(4, 1_000), 1_000)).toBe(false)
  expect(isProbing(fail(5, 1_000), 1_000)).toBe(true)
})

test('probing ends after 60 s', () => {
  expect(isProbing(fail(5, 1_000), 60_999)).toBe(true)
  expect(isProbing(fail(5, 1_000), 61_000)).toBe(false)
})

test('an answer of any status ends probing at once', () => {
  expect(isHealthy(afterAnswer(fail(5, 1_000), 3), 1_001)).toBe(true)
})

test('one transport failure is enough to leave the fast path', () => {
  expect(isHealthy(fail(1, 0), 0)).toBe(false)
})

test('the capacity shrinks as the answers get slower', () => {
  expect(capacityWithin({ ...FRESH, latencyMs: 5 }, 125, 8)).toBe(200)
  expect(capacityWithin({ ...FRESH, latencyMs: 1_000 }, 125, 8)).toBe(1)
  expect(capacityWithin({ ...FRESH, latencyMs: 5_000 }, 125, 8)).toBe(0)
})

test('an unknown destination counts as slow until its first answer', () => {
  expect(expectedCostMs(FRESH, 400)).toBe(400)
  expect(expectedCostMs(afterAnswer(FRESH, 5), 400)).toBe(5)
  expect(expectedCostMs(afterAnswer(FRESH, 0), 400)).toBe(4)
  expect(expectedCostMs(afterStall(FRESH, 500), 400)).toBe(500)
  expect(expectedCostMs(afterTransportFailure(FRESH, 5, 0), 400)).toBe(5)
})
