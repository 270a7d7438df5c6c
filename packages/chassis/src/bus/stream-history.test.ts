import { expect, test } from '@jest/globals'
import { createStreamHistory } from './stream-history.ts'

const MINUTE = 60_000

test('finds the newest sequence that is old enough, or 0 before there is one', () => {
  const history = createStreamHistory(5 * MINUTE)
  expect(history.lastSeqBefore(5 * MINUTE)).toBe(0)
  for (let minute = 0; minute <= 4; minute += 1)
    history.add({ atMs: minute * MINUTE, lastSeq: 10 * minute, bytes: 0 })
  expect(history.lastSeqBefore(5 * MINUTE)).toBe(0)
  for (let minute = 5; minute <= 60; minute += 1)
    history.add({ atMs: minute * MINUTE, lastSeq: 10 * minute, bytes: 0 })
  expect(history.lastSeqBefore(5 * MINUTE)).toBe(550)
})

test('forgets the sequences of a stream that was recreated', () => {
  const history = createStreamHistory(MINUTE)
  history.add({ atMs: 0, lastSeq: 900, bytes: 0 })
  history.add({ atMs: 2 * MINUTE, lastSeq: 3, bytes: 0 })
  expect(history.lastSeqBefore(MINUTE)).toBe(0)
  history.add({ atMs: 4 * MINUTE, lastSeq: 8, bytes: 0 })
  expect(history.lastSeqBefore(MINUTE)).toBe(3)
})

test('extrapolates the growth of the span to the limit, and reports no end for a stream that does not grow', () => {
  const history = createStreamHistory(5 * MINUTE)
  expect(history.secondsUntilFull(1_000)).toBe(Infinity)
  history.add({ atMs: 0, lastSeq: 1, bytes: 100 })
  expect(history.secondsUntilFull(1_000)).toBe(Infinity)
  history.add({ atMs: MINUTE, lastSeq: 2, bytes: 400 })
  expect(history.secondsUntilFull(1_000)).toBe(120)
  history.add({ atMs: 2 * MINUTE, lastSeq: 3, bytes: 100 })
  expect(history.secondsUntilFull(1_000)).toBe(Infinity)
  history.add({ atMs: 3 * MINUTE, lastSeq: 4, bytes: 1_200 })
  expect(history.secondsUntilFull(1_000)).toBe(0)
})
