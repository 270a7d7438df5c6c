import { expect, test } from '@jest/globals'
import { createBodyMemory } from './body-memory.ts'

const openMany = (memory: ReturnType<typeof createBodyMemory>, names: readonly string[]) => {
  const givenUp: string[] = []
  const bodies = names.map((name) => memory.open(() => givenUp.push(name)))
  return { givenUp, bodies }
}

test('drops the oldest bodies over the limit, and no more than necessary', () => {
  const { givenUp, bodies } = openMany(createBodyMemory(100), ['a', 'b', 'c'])
  const [a, b, c] = bodies
  b?.grow(40)
  a?.grow(40)
  c?.grow(20)
  expect(givenUp).toEqual([])
  c?.grow(1)
  expect(givenUp).toEqual(['a'])
  c?.grow(39)
  expect(givenUp).toEqual(['a'])
  c?.grow(1)
  expect(givenUp).toEqual(['a', 'b'])
})

test('frees the memory of a body that has arrived, also when it is released twice', () => {
  const { givenUp, bodies } = openMany(createBodyMemory(100), ['a', 'b'])
  const [a, b] = bodies
  a?.grow(100)
  a?.release()
  a?.release()
  b?.grow(100)
  expect(givenUp).toEqual([])
})
