import { judgePlans, type PlanAllowances } from '@causeway/chassis/testing'
import { expect, test } from '@jest/globals'
import { SHAPES } from './shapes.ts'

const ALLOWANCES: PlanAllowances = {
  'descriptions.unsealed': { may: ['reads all'], because: 'its index holds only what is not sealed yet' },
  'descriptions.seal': { may: ['reads all'], because: 'its index holds only what is not sealed yet' },
  'refunds.take-due': {
    may: ['sorts'],
    because: 'few are due while the table is young, and its next ANALYZE ends the plan',
  },
  'refund-differences.unchecked': {
    may: ['costs', 'sorts', 'collects'],
    because: 'it reads the open differences: staff close them',
  },
  'refund-differences.count': {
    may: ['costs', 'collects'],
    because: 'it counts the open differences for a metric: staff close them',
  },
}

test('reads at most a page in every statement of refunds, at 2,000,000 refunds', async () => {
  const judged = await judgePlans({
    service: new URL('../../', import.meta.url),
    shapes: SHAPES,
    allowances: ALLOWANCES,
  })
  expect(judged).toEqual({ faults: [], unneeded: [] })
})
