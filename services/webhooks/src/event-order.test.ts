import { newIdAt } from '@causeway/chassis'
import { expect, test } from '@jest/globals'
import { eventIdsBetween, NEWEST_FIRST } from './event-order.ts'

const AT_MS = Date.UTC(2026, 10, 22)
const MINUTE_MS = 60_000

test('reads a cursor as it was written, and by its id if it is older than the log by ids', () => {
  const id = newIdAt('event', AT_MS)
  expect(NEWEST_FIRST.read(NEWEST_FIRST.write({ id }))).toEqual({ id })
  expect(NEWEST_FIRST.read([new Date(AT_MS).toISOString(), id])).toEqual({ id })
  expect(NEWEST_FIRST.read([])).toBeNull()
})

test('includes every id that was created within a minute of its event in the bounds of a span', () => {
  const { fromId, beforeId } = eventIdsBetween(AT_MS, AT_MS + 1_000)
  const isWithin = (ms: number) => {
    const id = newIdAt('event', ms)
    return id >= fromId && id < beforeId
  }
  expect([AT_MS - MINUTE_MS, AT_MS, AT_MS + 999 + MINUTE_MS].map(isWithin)).toEqual([true, true, true])
  expect([AT_MS - MINUTE_MS - 1, AT_MS + 1_000 + MINUTE_MS].map(isWithin)).toEqual([false, false])
  expect(isWithin(0)).toBe(false)
})
