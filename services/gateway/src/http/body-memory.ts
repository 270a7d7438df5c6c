/** Memory of one body while it is arriving. */
export type BodyMemory = Readonly<{
  grow: (bytes: number) => void
  /** Called when the body has arrived or is given up; any number of times. */
  release: () => void
}>

/**
 * Limits the memory of arriving bodies. Over the limit the oldest one is aborted: the body of a regular caller arrives within
 * milliseconds, so that slow senders make room first.
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
