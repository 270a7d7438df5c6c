import { stripVTControlCharacters } from 'node:util'

const FIRST_OF_MESSAGE = 300

type TestFile = {
  name: string
  message: string
  assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
}
type JestResults = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  numRuntimeErrorTestSuites: number
  testResults: TestFile[]
}

const firstOf = (message = '') => stripVTControlCharacters(message).trim().slice(0, FIRST_OF_MESSAGE)

/** The failed tests of a file, or the error of a file without tests that ran. */
const failuresOf = (file: TestFile): string[] => {
  const failed = file.assertionResults.filter(({ status }) => status === 'failed')
  if (failed.length > 0)
    return failed.map((test) => `${file.name} › ${test.fullName}\n${firstOf(test.failureMessages?.[0])}`)
  return file.assertionResults.length === 0 && file.message !== ''
    ? [`${file.name}\n${firstOf(file.message)}`]
    : []
}

/**
 * The last line of a run, from jest's JSON results, and the beginning of each failure.
 *
 * @param read returns the text of the results; throws when jest ended before it wrote any
 */
export const summaryLine = (read: () => string): { line: string; ok: boolean; failures: string[] } => {
  let results: JestResults
  try {
    results = JSON.parse(read()) as JestResults
  } catch {
    return { line: '0 passed, 1 failed', ok: false, failures: [] }
  }
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
  const skipped = results.numPendingTests + results.numTodoTests
  const end = skipped === 0 ? '' : `, ${skipped} skipped`
  return {
    line: `${results.numPassedTests} passed, ${failed} failed${end}`,
    ok: failed === 0,
    failures: results.testResults.flatMap(failuresOf),
  }
}
