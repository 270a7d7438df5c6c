import { expect, test } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from './batcher.ts'

test('combines concurrent calls into one run and gives each call its own answer', async () => {
  const runs: number[][] = []
  const batcher = createBatcher<number, number>({
    maxBatch: 10,
    maxRunning: 2,
    run: async (keys) => {
      runs.push([...keys])
      return keys.map((key) => key * 10)
    },
  })
  expect(await Promise.all([1, 2, 3].map((key) => batcher.load(key)))).toEqual([10, 20, 30])
  expect(runs).toEqual([[1, 2, 3]])
})

test('runs at most maxRunning batches of at most maxBatch keys concurrently', async () => {
  let running = 0
  let most = 0
  const sizes: number[] = []
  const batcher = createBatcher<number, number>({
    maxBatch: 4,
    maxRunning: 2,
    run: async (keys) => {
      running += 1
      most = Math.max(most, running)
      sizes.push(keys.length)
      await sleep(2)
      running -= 1
      return keys
    },
  })
  const keys = Array.from({ length: 18 }, (_, index) => index)
  expect(await Promise.all(keys.map((key) => batcher.load(key)))).toEqual(keys)
  expect(most).toBe(2)
  expect(Math.max(...sizes)).toBe(4)
})

test('fails only the calls of the batch that failed', async () => {
  const batcher = createBatcher<number, number>({
    maxBatch: 1,
    maxRunning: 4,
    run: async ([key]) => {
      if (key === 2) throw new Error('two')
      return [key ?? 0]
    },
  })
  const settled = await Promise.allSettled([1, 2, 3].map((key) => batcher.load(key)))
  expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
