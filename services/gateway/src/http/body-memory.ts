/** What one body occupies while it is arriving. */
export type BodyMemory = Readonly<{
  grow: (bytes: number) => void
  /** Called when the body has arrived or is given up; any number of times. */
  release: () => void
}>

/**
 * Bounds what bodies occupy that are still arriving. Over the limit the one that has been arriving longest is given up:
 * a body of a caller that means it arrives within milliseconds, so that whoever sends slowly makes room first.
 */
export const createBodyMemory = (limitBytes: number) => {
  // A Set keeps the order in which bodies began.
  const bodies = new Set<{ bytes: number; giveUp: () => void }>()
  let total = 0

  const release = (body: { bytes: number; giveUp: () => void }) => {
    if (bodies.delete(body)) total -= body.bytes
  }
  return {
    /** @param giveUp stops the reading of this body */
    open(giveUp: () => void): BodyMemory {
      const body = { bytes: 0, giveUp }
      bodies.add(body)
      return {
        grow(bytes) {
          body.bytes += bytes
          total += bytes
          while (total > limitBytes) {
            const [oldest] = bodies
            if (oldest === undefined) return
            release(oldest)
            oldest.giveUp()
          }
        },
        release: () => release(body),
      }
    },
  }
}
