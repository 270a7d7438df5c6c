const FIRST_MS = 100
const LONGEST_MS = 10_000
/** A process that dies sooner than this was not brought up: what it dies of is likely to be there at its next start. */
const STARTED_AFTER_MS = 2_000

/**
 * The pause before the next start, by how long the run lasted after it was ready: none that grows for a process that had
 * been up, however often it is killed; doubled each time for one that dies at its start.
 */
export const createBackoff = () => {
  let failures = 0
  return (livedMs: number): number => {
    if (livedMs >= STARTED_AFTER_MS) failures = 0
    const waitMs = Math.min(FIRST_MS * 2 ** failures, LONGEST_MS)
    failures += 1
    return waitMs
  }
}
