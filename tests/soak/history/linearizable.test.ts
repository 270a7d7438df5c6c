import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { checkLinearizable, type Operation, type SequentialModel } from './linearizable.ts'

type RegisterCall = Readonly<{ write: number } | { read: number }>
const register: SequentialModel<number, RegisterCall> = {
  initial: 0,
  step: (state, call) => ('write' in call ? [call.write] : call.read === state ? [state] : []),
}
const at = (begin: number, end: number | null, call: RegisterCall): Operation<RegisterCall> => ({
  begin,
  end,
  call,
})

test('accepts a read that overlaps a write with or without it', () => {
  for (const read of [0, 1])
    expect(checkLinearizable([at(0, 3, { write: 1 }), at(1, 2, { read })], register).linearizable).toBe(true)
})

test('finds a value that was read and is gone again without a write, with the call that cannot be explained', () => {
  const [write, read, stale] = [at(0, 9, { write: 1 }), at(1, 2, { read: 1 }), at(3, 4, { read: 0 })]
  expect(checkLinearizable([write, read, stale], register)).toEqual({
    linearizable: false,
    longest: [write, read],
    stuck: [stale],
  })
})

test('finds a read after the end of a write that does not see the write', () => {
  const history = [at(0, 1, { write: 1 }), at(2, 3, { read: 0 })]
  expect(checkLinearizable(history, register).linearizable).toBe(false)
})

test('lets a call with an unknown outcome take effect late, once, or never', () => {
  const lost = at(0, null, { write: 1 })
  const reads = (...values: number[]) =>
    values.map((read, index) => at(10 * index + 1, 10 * index + 2, { read }))
  expect(checkLinearizable([lost, ...reads(0, 0)], register).linearizable).toBe(true)
  expect(checkLinearizable([lost, ...reads(0, 1, 1)], register).linearizable).toBe(true)
  expect(checkLinearizable([lost, ...reads(1, 0)], register).linearizable).toBe(false)
})

test('lets a call with an unknown outcome take no effect before its beginning', () => {
  const history = [at(0, 1, { read: 1 }), at(2, null, { write: 1 })]
  expect(checkLinearizable(history, register).linearizable).toBe(false)
})

/** Every order of every subset, tried without any pruning. */
const bruteForce = (history: readonly Operation<RegisterCall>[]): boolean => {
  const explains = (order: readonly Operation<RegisterCall>[]): boolean => {
    const isLegal = order.every((later, index) =>
      order.slice(0, index).every((earlier) => !(later.end !== null && later.end < earlier.begin)),
    )
    let states: readonly number[] = [register.initial]
    for (const { call } of order) states = states.flatMap((state) => register.step(state, call))
    return isLegal && states.length > 0
  }
  const anyOrder = (
    order: readonly Operation<RegisterCall>[],
    left: readonly Operation<RegisterCall>[],
  ): boolean =>
    (left.every(({ end }) => end === null) && explains(order)) ||
    left.some((next) =>
      anyOrder(
        [...order, next],
        left.filter((other) => other !== next),
      ),
    )
  return anyOrder([], history)
}

const callOf = fc.oneof(
  fc.record({ write: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ read: fc.integer({ min: 0, max: 2 }) }),
)
const operationOf = fc
  .record({
    begin: fc.integer({ min: 0, max: 12 }),
    took: fc.option(fc.integer({ min: 1, max: 6 })),
    call: callOf,
  })
  .map(({ begin, took, call }) => at(begin, took === null ? null : begin + took, call))

test('finds exactly what trying every order finds', () => {
  const verdicts = { true: 0, false: 0 }
  fc.assert(
    fc.property(fc.array(operationOf, { maxLength: 5 }), (history) => {
      const expected = bruteForce(history)
      verdicts[`${expected}`] += 1
      expect(checkLinearizable(history, register).linearizable).toBe(expected)
    }),
    { numRuns: 1_000 },
  )
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(50)
})

test('decides 300 calls, four at a time, within the time limit', () => {
  const history = Array.from({ length: 300 }, (_, index) =>
    at(10 * Math.floor(index / 4), 10 * Math.floor(index / 4) + 9, { write: index % 7 }),
  )
  expect(checkLinearizable(history, register).linearizable).toBe(true)
})

test('decides 50 calls with unknown outcomes within the time limit', () => {
  const lost = Array.from({ length: 50 }, (_, index) => at(index, null, { write: 1 + (index % 2) }))
  const read = at(100, 101, { read: 3 })
  expect(checkLinearizable([...lost, read], register).linearizable).toBe(false)
})
