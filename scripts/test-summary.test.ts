import { expect, test } from '@jest/globals'
import { summaryLine } from './test-summary.ts'

const results = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
  testResults: [] as unknown[],
}
const lineOf = (changes: Partial<typeof results>) =>
  summaryLine(() => JSON.stringify({ ...results, ...changes }))

test('summarises a run in which all tests passed', () => {
  expect(lineOf({})).toEqual({ line: '5 passed, 0 failed', ok: true, failures: [] })
})

test('counts a suite that could not run as a failure', () => {
  expect(lineOf({ numRuntimeErrorTestSuites: 2, numFailedTests: 1 })).toEqual({
    line: '5 passed, 3 failed',
    ok: false,
    failures: [],
  })
})

test('counts skipped tests in the line', () => {
  expect(lineOf({ numPendingTests: 1, numTodoTests: 1 })).toEqual({
    line: '5 passed, 0 failed, 2 skipped',
    ok: true,
    failures: [],
  })
})

test('counts a run without results as failed', () => {
  const missing = () => {
    throw new Error('ENOENT')
  }
  expect(summaryLine(missing)).toEqual({ line: '0 passed, 1 failed', ok: false, failures: [] })
})

test('names each failed test and each file that could not run, with the beginning of the message', () => {
  const { failures } = lineOf({
    testResults: [
      {
        name: 'a.test.ts',
        message: 'the report of the file',
        assertionResults: [
          { fullName: 'adds', status: 'passed' },
          {
            fullName: 'subtracts',
            status: 'failed',
            failureMessages: [`\u001b[31mexpected 1\u001b[39m${'.'.repeat(400)}`],
          },
        ],
      },
      { name: 'b.test.ts', message: 'Cannot find module', assertionResults: [] },
      { name: 'c.test.ts', message: '', assertionResults: [] },
    ],
  })
  expect(failures).toEqual([
    `a.test.ts › subtracts\nexpected 1${'.'.repeat(290)}`,
    'b.test.ts\nCannot find module',
  ])
})
