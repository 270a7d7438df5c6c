import { expect, test } from '@jest/globals'
import { createClaimStart } from './claim-start.ts'

test('starts a claim behind the published rows once all transactions of that time have ended', () => {
  const start = createClaimStart()
  start.observe({ oldestXid: 10, nextXid: 12, lastSeq: 100 })
  start.published(null)
  expect(start.afterSeq()).toBe(0)
  // 11 is still under way: it may commit a row below 100.
  start.observe({ oldestXid: 11, nextXid: 20, lastSeq: 200 })
  start.published(null)
  expect(start.afterSeq()).toBe(0)
  start.observe({ oldestXid: 12, nextXid: 30, lastSeq: 300 })
  start.published(null)
  expect(start.afterSeq()).toBe(100)
})

test('starts a claim where the previous claim left rows', () => {
  const start = createClaimStart()
  start.observe({ oldestXid: 5, nextXid: 5, lastSeq: 1_000 })
  start.observe({ oldestXid: 5, nextXid: 5, lastSeq: 1_000 })
  start.published(256)
  expect(start.afterSeq()).toBe(256)
  start.published(512)
  expect(start.afterSeq()).toBe(512)
})

test('searches published rows again once the stream has lost them', () => {
  const start = createClaimStart()
  start.observe({ oldestXid: 5, nextXid: 5, lastSeq: 9 })
  start.observe({ oldestXid: 5, nextXid: 5, lastSeq: 9 })
  start.published(null)
  expect(start.afterSeq()).toBe(9)
  start.reset()
  start.published(null)
  expect(start.afterSeq()).toBe(0)
})
