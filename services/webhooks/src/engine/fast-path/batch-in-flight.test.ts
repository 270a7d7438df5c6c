import { expect, test } from '@jest/globals'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BatchInFlight } from './batch-in-flight.ts'

/** Returns the state of a batch of three after each of these notifications. */
const after = async (...told: ('resolve' | 'reject')[]) => {
  const batch = new BatchInFlight(3)
  const state = { end: 'under way' }
  batch.settled.then(
    () => (state.end = 'committed'),
    (error: unknown) => (state.end = String(error)),
  )
  for (const [index, method] of told.entries())
    if (method === 'resolve') batch.resolve()
    else batch.reject(`failure ${index}`)
  await nextTurn()
  return state.end
}

test('keeps a batch in flight until its last event is settled, also after one has failed', async () => {
  expect(await after('resolve', 'resolve')).toBe('under way')
  expect(await after('resolve', 'resolve', 'resolve')).toBe('committed')
  expect(await after('reject', 'resolve')).toBe('under way')
  expect(await after('resolve', 'reject', 'reject')).toBe('failure 1')
})

test('commits a batch without events', async () => {
  await expect(new BatchInFlight(0).settled).resolves.toBeUndefined()
})
