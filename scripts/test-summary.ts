type JestResults = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  numRuntimeErrorTestSuites: number
}

/**
 * The last line of a run, from jest's JSON results.
 *
 * @param read returns the text of the results; throws when jest ended before it wrote any
 */
export const summaryLine = (read: () => string): { line: string; ok: boolean } => {
  let results: JestResults
  try {
    results = JSON.parse(read()) as JestResults
  } catch {
    return { line: '0 passed, 1 failed', ok: false }
  }
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
  const skipped = results.numPendingTests + results.numTodoTests
  const end = skipped === 0 ? '' : `, ${skipped} skipped`
  return { line: `${results.numPassedTests} passed, ${failed} failed${end}`, ok: failed === 0 }
}
