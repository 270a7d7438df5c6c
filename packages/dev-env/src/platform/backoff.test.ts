import { expect, test } from '@jest/globals'
import { createBackoff } from './backoff.ts'

test('doubles the backoff up to ten seconds while a process keeps dying, and resets it after a healthy run', () => {
  const pauseMs = createBackoff()
  const dying = Array.from({ length: 9 }, () => pauseMs(0))
  expect(dying).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000])
  expect(pauseMs(30_000)).toBe(100)
})

test('restarts a process that is killed every two seconds immediately each time', () => {
  const pauseMs = createBackoff()
  expect(Array.from({ length: 20 }, () => pauseMs(2_000))).toEqual(Array.from({ length: 20 }, () => 100))
})
