import { judgePlans, type PlanAllowances } from '@causeway/chassis/testing'
import { expect, test } from '@jest/globals'
import { SHAPES } from './shapes.ts'

const ALLOWANCES: PlanAllowances = {
  'acceptances.read-newest': { may: ['sorts'], because: 'an agreement has few versions to accept' },
  'documents.read-first': { may: ['costs'], because: 'it reads the first of each of ten relationships' },
  'documents.read-types-of-many': {
    may: ['costs'],
    because: 'it reads those of ten relationships, each of which has 100 at the most',
  },
  'next-steps.read-unaccepted': {
    may: ['sorts'],
    because:
      'the platform has few agreements; those of one relationship that it lacks are found among all of them',
  },
  'personal-data.read-records': { may: ['sorts'], because: 'it reads one relationship alone' },
  'review-figures.count-waiting': {
    may: ['collects', 'costs'],
    because: 'it counts the queue in its index; a person decides each case, so it is short',
  },
  'review-figures.list-decisions': {
    may: ['collects', 'costs'],
    because: 'staff read it rarely; it reads the decisions of three months at most',
  },
  'submissions.read-page-of-case': { may: ['sorts'], because: 'a merchant has one for each of its partners' },
}

test('reads at most a page in every statement of onboarding, at 1,000,000 merchants', async () => {
  const judged = await judgePlans({
    service: new URL('../../', import.meta.url),
    shapes: SHAPES,
    allowances: ALLOWANCES,
  })
  expect(judged).toEqual({ faults: [], unneeded: [] })
})
