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

test('begins probing at the fifth transport failure in a row, and keeps the connections until then', () => {
  expect(isProbing(fail(4, 1_000), 1_000)).toBe(false)
  expect(isProbing(fail(5, 1_000), 1_000)).toBe(true)
})

test('ends probing after 60 s', () => {
  expect(isProbing(fail(5, 1_000), 60_999)).toBe(true)
  expect(isProbing(fail(5, 1_000), 61_000)).toBe(false)
})

test('ends probing immediately at a response of any status', () => {
  expect(isHealthy(afterAnswer(fail(5, 1_000), 3), 1_001)).toBe(true)
})

test('leaves the fast path after one transport failure', () => {
  expect(isHealthy(fail(1, 0), 0)).toBe(false)
})

test('reduces the capacity as responses get slower', () => {
  expect(capacityWithin({ ...FRESH, latencyMs: 5 }, 125, 8)).toBe(200)
  expect(capacityWithin({ ...FRESH, latencyMs: 1_000 }, 125, 8)).toBe(1)
  expect(capacityWithin({ ...FRESH, latencyMs: 5_000 }, 125, 8)).toBe(0)
})

test('counts an unknown destination as slow until its first response', () => {
  expect(expectedCostMs(FRESH, 400)).toBe(400)
  expect(expectedCostMs(afterAnswer(FRESH, 5), 400)).toBe(5)
  expect(expectedCostMs(afterAnswer(FRESH, 0), 400)).toBe(4)
  expect(expectedCostMs(afterStall(FRESH, 500), 400)).toBe(500)
  expect(expectedCostMs(afterTransportFailure(FRESH, 5, 0), 400)).toBe(5)
})
