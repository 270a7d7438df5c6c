/** Of a hundred questions, so many may be asked once more. */
const SHARE = 0.05
/** As many are asked once more at the death of a replica, however little was asked before. */
const MOST = 64

/**
 * What bounds how much is asked once more: under an overload, where everything is slow, it adds a twentieth to the load
 * and no more.
 */
export const createAgainBudget = () => {
  let left = MOST
  return {
    /** A question is asked for the first time. */
    earn: (): void => {
      left = Math.min(MOST, left + SHARE)
    },
    /** @returns whether a question may be asked once more now */
    take: (): boolean => {
      if (left < 1) return false
      left -= 1
      return true
    },
    /** Nobody was there to be asked, so it has cost nothing. */
    giveBack: (): void => {
      left = Math.min(MOST, left + 1)
    },
  }
}
