const FIRST_MS = 100
const LONGEST_MS = 10_000
/** A process that ran this long counts as healthy again. */
const HEALTHY_AFTER_MS = 30_000

/** Exponential backoff before the next start, by how long each run lasted. */
export const createBackoff = () => {
  let failures = 0
  return (livedMs: number): number => {
    failures = livedMs >= HEALTHY_AFTER_MS ? 0 : failures
    const waitMs = Math.min(FIRST_MS * 2 ** failures, LONGEST_MS)
    failures += 1
    return waitMs
  }
}
