import { NotDoneError } from '@causeway/chassis'
import { expect, test } from '@jest/globals'
import { createTurns } from './turns.ts'

const addTo = (list: string[], name: string) => async () => {
  const before = [...list]
  await Promise.resolve()
  list.splice(0, list.length, ...before, name)
}

test('runs the work of one customer one after the other, also after a failure', async () => {
  const inTurn = createTurns()
  const list: string[] = []
  const failed = inTurn('a', () => Promise.reject(new Error('broken')))
  const added = ['one', 'two', 'three'].map((name) => inTurn('a', addTo(list, name)))
  await expect(failed).rejects.toThrow('broken')
  await Promise.all(added)
  expect(list).toEqual(['one', 'two', 'three'])
})

test('lets customers not wait for each other, with at most 20 waiting for one', async () => {
  const inTurn = createTurns()
  const gate = Promise.withResolvers<string>()
  const held = Array.from({ length: 20 }, () => inTurn('a', () => gate.promise))
  await expect(inTurn('a', () => gate.promise)).rejects.toThrow(NotDoneError)
  expect(await inTurn('b', () => Promise.resolve('done'))).toBe('done')
  gate.resolve('done')
  expect(new Set(await Promise.all(held))).toEqual(new Set(['done']))
  expect(await inTurn('a', () => Promise.resolve('again'))).toBe('again')
})
