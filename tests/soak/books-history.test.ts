import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createHistory, HISTORY_ACTS } from './books-history.ts'
import { booksOf } from './checks/books-model.ts'

/** `pnpm soak:books` plays 2,000 steps in each of 50 histories. */
const STEPS = Number(process.env['BOOKS_STEPS'] ?? 200)
const HISTORIES = STEPS >= 2_000 ? 50 : 10
/** The model is computed anew from all rows after so many steps. */
const COMPARED_EVERY = 20

const step = fc.record({
  act: fc.constantFrom(...HISTORY_ACTS),
  order: fc.nat(29),
  choice: fc.nat(10_000),
})

test(`has the books of an independent model over the rows in histories of ${STEPS} steps`, () => {
  let postings = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: STEPS, maxLength: STEPS, size: 'max' }), (steps) => {
      const history = createHistory({ cards: 30, cryptos: 10 })
      for (const [at, each] of steps.entries()) {
        history.play(each)
        if (at % COMPARED_EVERY !== 0 && at < steps.length - 1) continue
        const { orders, deposits } = history.rows()
        expect(history.sums()).toEqual(booksOf(orders, deposits))
      }
      postings = Math.max(postings, history.postings())
    }),
    { numRuns: HISTORIES },
  )
  expect(postings).toBeGreaterThan(STEPS / 10)
})
