import { expect, test } from '@jest/globals'
import { shareByPace, shareSlots, type Slots } from './share-slots.ts'

const share = (candidates: Parameters<typeof shareSlots>[0], slots: number) =>
  Object.fromEntries(shareSlots(candidates, slots, new Map()))

test('gives destinations of equal cost equal shares', () => {
  const candidates = ['a', 'b', 'c', 'd'].map((id) => ({ id, costMs: 10, room: 1_000 }))
  expect(share(candidates, 8)).toEqual({ a: 2, b: 2, c: 2, d: 2 })
})

test('gives a destination no more slots than it has capacity for, and the others the remaining ones', () => {
  expect(
    share(
      [
        { id: 'few', costMs: 10, room: 1 },
        { id: 'many', costMs: 10, room: 1_000 },
      ],
      10,
    ),
  ).toEqual({ few: 1, many: 9 })
})

test('allocates slots to a slow destination by time, not by number', () => {
  const taken = share(
    [
      { id: 'slow', costMs: 1_000, room: 100 },
      { id: 'fast', costMs: 10, room: 1_000 },
    ],
    101,
  )
  expect(taken).toEqual({ slow: 1, fast: 100 })
})

test('gives every destination its share by deficits over 300 rounds of one slot each', () => {
  const deficits = new Map<string, number>()
  const got = new Map([
    ['a', 0],
    ['b', 0],
    ['c', 0],
  ])
  const order = [...got.keys()]
  for (let round = 0; round < 300; round += 1) {
    for (const [id, count] of shareSlots(
      order.map((id) => ({ id, costMs: 10, room: 5 })),
      1,
      deficits,
    )) {
      got.set(id, (got.get(id) ?? 0) + count)
      order.push(...order.splice(order.indexOf(id), 1))
    }
  }
  expect([...got.values()]).toEqual([100, 100, 100])
})

const shareAll = (candidates: Parameters<typeof shareSlots>[0], slots: Slots) =>
  Object.fromEntries(shareByPace(candidates, slots, new Map()))
const mute = Array.from({ length: 1_000 }, (_, n) => ({ id: `mute-${n}`, costMs: 2_000, room: 1 }))
const quick = { id: 'quick', costMs: 5, room: 50 }

test('limits destinations that do not answer to half of the slots, however many they are', () => {
  const slots = { free: 400, all: 400, slow: 0 }
  expect(Object.keys(shareAll(mute, slots))).toHaveLength(200)
  expect(shareAll(mute, { ...slots, free: 200, slow: 200 })).toEqual({})
  expect(shareAll([...mute, quick], { ...slots, free: 200, slow: 200 })).toEqual({ quick: 50 })
})

test('leaves slow destinations a quarter of the slots among many quick ones', () => {
  const rush = Array.from({ length: 20 }, (_, n) => ({ ...quick, id: `quick-${n}` }))
  const taken = shareAll([...rush, ...mute], { free: 400, all: 400, slow: 60 })
  const slow = Object.keys(taken).filter((id) => id.startsWith('mute'))
  expect(slow).toHaveLength(40)
  expect(Object.values(taken).reduce((total, count) => total + count, 0)).toBe(400)
})
