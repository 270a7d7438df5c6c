import { expect, test } from '@jest/globals'
import { suiteOf, timesBySuite } from './suites.ts'

test.each([
  ['tests/journeys/kill.test.ts', 'tests/journeys'],
  ['services/refunds/tests/faults.test.ts', 'services/refunds'],
  ['services/refunds/src/refunds/transitions.test.ts', 'services/refunds (rules)'],
  ['packages/chassis/tests/outbox.test.ts', 'packages/chassis'],
  ['sandbox/tests/card-page.test.ts', 'sandbox'],
])('assigns %s to %s', (file, suite) => {
  expect(suiteOf(file)).toBe(suite)
})

test('lists the longest suite first', () => {
  const table = timesBySuite([
    { file: 'sandbox/a.test.ts', ms: 10_000 },
    { file: 'tests/journeys/a.test.ts', ms: 61_000 },
    { file: 'tests/journeys/b.test.ts', ms: 4_000 },
  ])
  expect(table).toBe('   1:05     2 files  tests/journeys\n   0:10     1 files  sandbox')
})
