import { expect, test } from '@jest/globals'
import { createClaimStart } from './claim-start.ts'

test('a claim starts after what was published once every transaction of that time is over', () => {
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

test('a claim that left rows is followed by one that starts there', () => {
  const start = createClaimStart()
  start.observe({ oldestXid: 5, nextXid: 5, lastSeq: 1_000 })
  start.observe({ oldestXid: 5, nextXid: 5, lastSeq: 1_000 })
  start.published(256)
  expect(start.afterSeq()).toBe(256)
  start.published(512)
  expect(start.afterSeq()).toBe(512)
})

test('what was published is looked for again once the stream has lost it', () => {
  const start = createClaimStart()
  start.observe({ oldestXid: 5, nextXid: 5, lastSeq: 9 })
  start.observe({ oldestXid: 5, nextXid: 5, lastSeq: 9 })
  start.published(null)
  expect(start.afterSeq()).toBe(9)
  start.reset()
  start.published(null)
  expect(start.afterSeq()).toBe(0)
})
