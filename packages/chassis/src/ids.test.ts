import { expect, test } from '@jest/globals'
import { firstIdAt, isId, newId, newIdAt } from './ids.ts'

test('ids of a given time sort by it, among each other and among ids of the present', () => {
  const nowMs = Date.now()
  const hour = 3_600_000
  const [before, after] = [newIdAt('delivery', nowMs - hour), newIdAt('delivery', nowMs + hour)]
  for (const id of [before, after]) expect(isId('delivery', id)).toBe(true)
  expect([after, newId('delivery'), before].sort()).toEqual([before, expect.any(String), after])
  expect(newIdAt('delivery', nowMs)).not.toBe(newIdAt('delivery', nowMs))
})

test('the first id of a time lies between what came before and what comes from then on', () => {
  const ms = 1_790_000_000_123
  const first = firstIdAt('delivery', ms)
  expect(isId('delivery', first)).toBe(true)
  for (let n = 0; n < 100; n += 1) {
    expect(newIdAt('delivery', ms) >= first).toBe(true)
    expect(newIdAt('delivery', ms - 1) < first).toBe(true)
  }
  const [earliest, latest] = [
    firstIdAt('event', -5),
    newIdAt('event', Date.parse('9999-12-31T23:59:59.999Z')),
  ]
  for (const id of [earliest, latest]) expect(isId('event', id)).toBe(true)
})
