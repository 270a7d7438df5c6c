/**
 * State of the database's transactions at one moment: those below `oldestXid` have ended, and rows up to `lastSeq` are of
 * transactions below `nextXid`.
 */
export type Observation = Readonly<{ oldestXid: number; nextXid: number; lastSeq: number }>

/** The sequence after which unpublished rows may be. */
export type ClaimStart = Readonly<{
  /** Rows up to here are published, or were never committed. */
  afterSeq: () => number
  /** To be called before a claim, with an observation of now. */
  observe: (now: Observation) => void
  /** All rows of a claim are published; `throughSeq`: the last of them, or null where the claim left none. */
  published: (throughSeq: number | null) => void
  /** Rows of long ago may be unpublished again. */
  reset: () => void
}>

/**
 * Rows become visible at their commit, in another order than that of their sequences: one below a published one may
 * come later. A sequence is passed for good when every transaction is over that had an id when it was the last. One that
 * takes its sequence an instant before its id, and rows that somebody lists by hand, are what claims from the beginning
 * are for.
 */
export const createClaimStart = (): ClaimStart => {
  let after = 0
  let passed = 0
  let waiting: Observation | null = null
  return {
    afterSeq: () => after,
    observe(now) {
      if (waiting !== null && now.oldestXid < waiting.nextXid) return
      if (waiting !== null) passed = waiting.lastSeq
      waiting = now
    },
    published(throughSeq) {
      after = Math.max(after, throughSeq === null ? passed : Math.min(passed, throughSeq))
    },
    reset() {
      after = 0
      passed = 0
      waiting = null
    },
  }
}
