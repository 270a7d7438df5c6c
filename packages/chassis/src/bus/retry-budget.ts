/** Share of requests that may be retried. */
const SHARE = 0.05
/** Maximum retries in reserve, for the death of a replica, also after few requests. */
const MOST = 64

/**
 * Limits retries: under an overload, where every request is slow, they add at most a twentieth to the load.
 */
export const createRetryBudget = () => {
  let left = MOST
  return {
    /** Counts a request that is sent for the first time. */
    earn: (): void => {
      left = Math.min(MOST, left + SHARE)
    },
    /** Takes one retry. @returns false if none is left */
    take: (): boolean => {
      if (left < 1) return false
      left -= 1
      return true
    },
    /** Returns a retry that reached no service and so cost nothing. */
    giveBack: (): void => {
      left = Math.min(MOST, left + 1)
    },
  }
}
