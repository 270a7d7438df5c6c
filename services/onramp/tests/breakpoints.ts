import { eventually } from '@causeway/chassis/testing'

type Hold = { isReached: boolean; end: (isLost: boolean) => void; readonly gone: Promise<boolean> }

/** Breakpoints at which a test holds a call, one for each step and subject. */
export const createBreakpoints = () => {
  const breakpoints = new Map<string, Hold>()
  const keyOf = (step: string, subject: string) => `${step} ${subject}`
  return {
    /** Holds calls that reach this step with this subject, until they are released. */
    set(step: string, subject: string): void {
      const { promise: gone, resolve: end } = Promise.withResolvers<boolean>()
      breakpoints.set(keyOf(step, subject), { isReached: false, end, gone })
    },
    /** @throws when the held call was lost */
    async pass(step: string, subject: string): Promise<void> {
      const hold = breakpoints.get(keyOf(step, subject))
      if (!hold) return
      hold.isReached = true
      if (await hold.gone) throw new Error('The held call was lost')
    },
    reached: (step: string, subject: string) =>
      eventually(() => breakpoints.get(keyOf(step, subject))?.isReached === true),
    releaseAll(): void {
      for (const hold of breakpoints.values()) hold.end(false)
      breakpoints.clear()
    },
    /** Loses the held calls: they never continue. */
    loseAll(): void {
      for (const hold of breakpoints.values()) hold.end(true)
      breakpoints.clear()
    },
  }
}
