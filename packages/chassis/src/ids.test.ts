import { expect, test } from '@jest/globals'
import { TypeID } from 'typeid-js'
import { firstIdAt, isId, newId, newIdAt } from './ids.ts'

test('sorts ids by the time they are created for, before and after the present', () => {
  const nowMs = Date.now()
  const hour = 3_600_000
  const [before, after] = [newIdAt('delivery', nowMs - hour), newIdAt('delivery', nowMs + hour)]
  for (const id of [before, after]) expect(isId('delivery', id)).toBe(true)
  expect([after, newId('delivery'), before].sort()).toEqual([before, expect.any(String), after])
  expect(newIdAt('delivery', nowMs)).not.toBe(newIdAt('delivery', nowMs))
})

test('places the first id of a time between the earlier and the later ids', () => {
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

test('encodes an id as a TypeID around a UUIDv7 of its time', () => {
  const ms = 1_790_000_000_123
  for (let n = 0; n < 5_000; n += 1) {
    const uuid = TypeID.fromString(newIdAt('event', ms), 'evt').toUUID()
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)).toBe(ms)
  }
})

test('keeps ids of one millisecond unique and in the order of creation', () => {
  const ids = Array.from({ length: 2_000 }, () => newIdAt('event', 1_790_000_000_456))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('sets every random bit of an id to both values', () => {
  const seen = new Map<number, Set<string>>()
  for (let n = 0; n < 500; n += 1) {
    const uuid = TypeID.fromString(newIdAt('event', 1_790_000_000_000 + n), 'evt').toUUID()
    const bits = BigInt(`0x${uuid.replaceAll('-', '').slice(16)}`)
      .toString(2)
      .padStart(64, '0')
      .slice(2)
    for (let at = 0; at < bits.length; at += 1) seen.set(at, (seen.get(at) ?? new Set()).add(bits.charAt(at)))
  }
  expect([...seen.values()].map((values) => values.size)).toEqual(Array.from({ length: 62 }, () => 2))
})
