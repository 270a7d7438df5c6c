import { expect, test } from '@jest/globals'
import { createUploadSlots, UPLOADS_PER_CLIENT } from './slots.ts'

const takeMany = (slots: ReturnType<typeof createUploadSlots>, client: string, count: number) =>
  Array.from({ length: count }, () => {
    const slot = slots.take(client)
    return slot.ok ? 'taken' : slot.why
  })
const taken = (count: number) => Array.from({ length: count }, () => 'taken')

test('gives a client eight slots, however many are free', () => {
  const slots = createUploadSlots(1_000)
  expect(takeMany(slots, 'a', UPLOADS_PER_CLIENT + 1)).toEqual([...taken(8), 'rate_limited'])
  expect(takeMany(slots, 'b', UPLOADS_PER_CLIENT)).toEqual(taken(8))
})

test('gives the last slots to clients that hold fewer, and then answers 503', () => {
  const slots = createUploadSlots(20)
  expect(takeMany(slots, 'a', 8)).toEqual(taken(8))
  expect(takeMany(slots, 'b', 7)).toEqual([...taken(6), 'temporarily_unavailable'])
  expect(takeMany(slots, 'c', 4)).toEqual([...taken(3), 'temporarily_unavailable'])
  expect(takeMany(slots, 'd', 3)).toEqual([...taken(2), 'temporarily_unavailable'])
  expect(takeMany(slots, 'e', 2)).toEqual(['taken', 'temporarily_unavailable'])
  expect(takeMany(slots, 'f', 1)).toEqual(['temporarily_unavailable'])
})

test('frees a slot once when it is released twice', () => {
  const slots = createUploadSlots(1)
  const slot = slots.take('a')
  if (!slot.ok) throw new Error('The first slot was refused')
  slot.release()
  slot.release()
  expect(takeMany(slots, 'b', 2)).toEqual(['taken', 'temporarily_unavailable'])
})
