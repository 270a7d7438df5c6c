/** Uploads that one client may have under way at once (decisions §18). */
export const UPLOADS_PER_CLIENT = 8

/** Why an upload may not begin: its client has its share already, or the process has no memory for another. */
export type NoSlot = 'rate_limited' | 'temporarily_unavailable'

/** A place for an upload; given back once, when it is over however it ends. */
export type Slot = Readonly<{ ok: true; release: () => void }>

/**
 * Bounds the uploads under way: 8 a client, and `total` in this process, which protects its memory. Near the total a
 * client may hold no more places than are still free, so that the last ones go to clients that have the fewest: one
 * without an upload is refused only when no place at all is left.
 */
export const createUploadSlots = (
  total: number,
): { take: (client: string) => Slot | Readonly<{ ok: false; why: NoSlot }> } => {
  const held = new Map<string, number>()
  let free = total
  return {
    take(client) {
      const own = held.get(client) ?? 0
      if (own >= UPLOADS_PER_CLIENT) return { ok: false, why: 'rate_limited' }
      if (own >= free) return { ok: false, why: 'temporarily_unavailable' }
      held.set(client, own + 1)
      free -= 1
      let isReleased = false
      const release = () => {
        if (isReleased) return
        isReleased = true
        free += 1
        const left = (held.get(client) ?? 1) - 1
        if (left === 0) held.delete(client)
        else held.set(client, left)
      }
      return { ok: true, release }
    },
  }
}
