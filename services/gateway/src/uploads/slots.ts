/** Concurrent uploads of one client (decisions §18). */
export const UPLOADS_PER_CLIENT = 8

/** Why an upload is refused: its client has 8 already, or the process has no memory for another. */
export type NoSlot = 'rate_limited' | 'temporarily_unavailable'

/** A slot for one upload; to be released when the upload ends, in whatever way. */
export type Slot = Readonly<{ ok: true; release: () => void }>

/**
 * Limits concurrent uploads: 8 per client, and `total` in this process, which protects its memory. A client may not have
 * more slots than are still free, so that the last ones go to clients with the fewest: a client without an upload is
 * refused only when no slot is left.
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
