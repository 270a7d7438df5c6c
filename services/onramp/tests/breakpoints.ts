import { eventually } from '@causeway/chassis/testing'

type Hold = { isReached: boolean; end: (isLost: boolean) => void; readonly gone: Promise<boolean> }

/** Places where a test stops whoever comes by, one for each step and subject. */
export const createBreakpoints = () => {
  const breakpoints = new Map<string, Hold>()
  const keyOf = (step: string, subject: string) => `${step} ${subject}`
  return {
    /** Stops whoever comes to this step with this subject, until they are let go. */
    set(step: string, subject: string): void {
      const { promise: gone, resolve: end } = Promise.withResolvers<boolean>()
      breakpoints.set(keyOf(step, subject), { isReached: false, end, gone })
    },
    /** @throws when whoever came by was lost there */
    async pass(step: string, subject: string): Promise<void> {
      const hold = breakpoints.get(keyOf(step, subject))
      if (!hold) return
      hold.isReached = true
      if (await hold.gone) throw new Error('Lost on the way')
    },
    reached: (step: string, subject: string) =>
      eventually(() => breakpoints.get(keyOf(step, subject))?.isReached === true),
    releaseAll(): void {
      for (const hold of breakpoints.values()) hold.end(false)
      breakpoints.clear()
    },
    /** Whoever is held comes no further. */
    loseAll(): void {
      for (const hold of breakpoints.values()) hold.end(true)
      breakpoints.clear()
    },
  }
}
