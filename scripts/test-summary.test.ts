import { expect, test } from '@jest/globals'
import { summaryLine } from './test-summary.ts'

const results = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
}
const lineOf = (changes: Partial<typeof results>) =>
  summaryLine(() => JSON.stringify({ ...results, ...changes }))

test('a run in which all passed', () => {
  expect(lineOf({})).toEqual({ line: '5 passed, 0 failed', ok: true })
})

test('a suite that could not run counts as a failure', () => {
  expect(lineOf({ numRuntimeErrorTestSuites: 2, numFailedTests: 1 })).toEqual({
    line: '5 passed, 3 failed',
    ok: false,
  })
})

test('skipped tests are counted in the line', () => {
  expect(lineOf({ numPendingTests: 1, numTodoTests: 1 })).toEqual({
    line: '5 passed, 0 failed, 2 skipped',
    ok: true,
  })
})

test('a run without results has failed', () => {
  const missing = () => {
    throw new Error('ENOENT')
  }
  expect(summaryLine(missing)).toEqual({ line: '0 passed, 1 failed', ok: false })
})
