import { expect, test } from '@jest/globals'
import { createBodyMemory } from './body-memory.ts'

const openMany = (memory: ReturnType<typeof createBodyMemory>, names: readonly string[]) => {
  const givenUp: string[] = []
  const bodies = names.map((name) => memory.open(() => givenUp.push(name)))
  return { givenUp, bodies }
}

test('over the limit the body that began first is given up, and only as many as have to be', () => {
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

test('what has arrived occupies nothing, also when it is released twice', () => {
  const { givenUp, bodies } = openMany(createBodyMemory(100), ['a', 'b'])
  const [a, b] = bodies
  a?.grow(100)
  a?.release()
  a?.release()
  b?.grow(100)
  expect(givenUp).toEqual([])
})
