import { judgePlans, type PlanAllowances } from '@causeway/chassis/testing'
import { expect, test } from '@jest/globals'
import { SHAPES } from './shapes.ts'

const DUE = 'few are due while the table is young, and its next ANALYZE ends the plan'

const ALLOWANCES: PlanAllowances = {
  'purchases.claim-due': { may: ['sorts'], because: DUE },
  'purchases.claim-silent': { may: ['sorts'], because: DUE },
}

test('reads at most a page in every statement of onramp, at 2,000,000 purchases', async () => {
  const judged = await judgePlans({
    service: new URL('../../', import.meta.url),
    shapes: SHAPES,
    allowances: ALLOWANCES,
  })
  expect(judged).toEqual({ faults: [], unneeded: [] })
})
