import { judgePlans, type PlanAllowances } from '@causeway/chassis/testing'
import { expect, test } from '@jest/globals'
import { SHAPES } from './shapes.ts'

const ALLOWANCES: PlanAllowances = {
  'address-transfers.of-address': { may: ['sorts'], because: 'few transfers leave one address' },
  'transfers.lock-without-facts': {
    may: ['reads all'],
    because:
      'the index that it reads has only its rows; a locking statement repeats the condition of the index',
  },
}

test('reads at most a page in every statement of the signer, at 1,000,000 transfers', async () => {
  const judged = await judgePlans({
    service: new URL('../../', import.meta.url),
    shapes: SHAPES,
    allowances: ALLOWANCES,
  })
  expect(judged).toEqual({ faults: [], unneeded: [] })
})
