import { eventually } from '@causeway/chassis/testing'

type Hold = { isReached: boolean; letGo: () => void; readonly gone: Promise<void> }

/** Places where a test stops whoever comes by, one for each step and subject. */
export const createHolds = () => {
  const holds = new Map<string, Hold>()
  const keyOf = (step: string, subject: string) => `${step} ${subject}`
  return {
    /** Stops whoever comes to this step with this subject, until they are let go. */
    set(step: string, subject: string): void {
      const { promise: gone, resolve: letGo } = Promise.withResolvers<void>()
      holds.set(keyOf(step, subject), { isReached: false, letGo, gone })
    },
    async pass(step: string, subject: string): Promise<void> {
      const hold = holds.get(keyOf(step, subject))
      if (!hold) return
      hold.isReached = true
      await hold.gone
    },
    reached: (step: string, subject: string) =>
      eventually(() => holds.get(keyOf(step, subject))?.isReached === true, { withinMs: 20_000 }),
    letGo(step: string, subject: string): void {
      const hold = holds.get(keyOf(step, subject))
      holds.delete(keyOf(step, subject))
      hold?.letGo()
    },
    letAllGo(): void {
      for (const hold of holds.values()) hold.letGo()
      holds.clear()
    },
  }
}
