import { expect, test } from '@jest/globals'
import { createBulkhead } from './bulkhead.ts'

const REFUSED = { ok: false, code: 'temporarily_unavailable' }
const LONG_MS = 60_000

/** A call that is held until it is ended, and whether it has begun. */
const heldCall = () => {
  const { promise, resolve: end } = Promise.withResolvers<string>()
  const held = { hasBegun: false, end }
  const call = () => {
    held.hasBegun = true
    return promise
  }
  return { held, call }
}

test('queues calls beyond the limit and starts them in order as earlier calls end', async () => {
  const bulkhead = createBulkhead({ places: 1, maxWaiting: 2 })
  const [first, second, third] = [heldCall(), heldCall(), heldCall()]
  const results = [first, second, third].map(({ call }) => bulkhead.run(LONG_MS, call))
  const begun = () => [first, second, third].map(({ held }) => held.hasBegun)
  expect(await bulkhead.run(LONG_MS, heldCall().call)).toEqual(REFUSED)
  expect(begun()).toEqual([true, false, false])
  first.held.end('first')
  expect(await results[0]).toBe('first')
  expect(begun()).toEqual([true, true, false])
  second.held.end('second')
  third.held.end('third')
  expect(await Promise.all(results)).toEqual(['first', 'second', 'third'])
})

test('refuses a call that has waited for the maximum time, without running it', async () => {
  const bulkhead = createBulkhead({ places: 1, maxWaiting: 2 })
  const [first, late] = [heldCall(), heldCall()]
  const running = bulkhead.run(LONG_MS, first.call)
  expect(await bulkhead.run(1, late.call)).toEqual(REFUSED)
  expect(await bulkhead.run(0, late.call)).toEqual(REFUSED)
  first.held.end('first')
  await running
  expect(late.held.hasBegun).toBe(false)
  late.held.end('late')
  expect(await bulkhead.run(0, late.call)).toBe('late')
})

test('frees the slot of a call that throws', async () => {
  const bulkhead = createBulkhead({ places: 1, maxWaiting: 0 })
  await expect(bulkhead.run(0, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await bulkhead.run(0, () => Promise.resolve('next'))).toBe('next')
})
