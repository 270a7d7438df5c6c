/** One destination that wants to send. */
export type Candidate = Readonly<{
  id: string
  /** Cost of one delivery: the time for which it occupies a slot, at the rate observed so far. */
  costMs: number
  /** How many it may take. */
  room: number
}>

/**
 * Deficit round-robin (Shreedhar and Varghese, 1995) with time as the cost: a destination that answers in 5 ms takes
 * many slots in the time in which one that answers in 5 s takes one, and none waits for another's backlog. What a
 * destination could not use of its share for want of slots is kept for its next turn, in `deficits`.
 * @param candidates in the order of their turns
 * @returns how many each takes; those that take none are left out
 */
export const shareSlots = (
  candidates: readonly Candidate[],
  slots: number,
  deficits: Map<string, number>,
): Map<string, number> => {
  const taken = new Map<string, number>()
  const quantumMs = candidates.reduce((most, candidate) => Math.max(most, candidate.costMs), 1)
  let free = slots
  let active = candidates.filter((candidate) => candidate.room > 0)
  while (free > 0 && active.length > 0) {
    for (const { id, costMs, room } of active) {
      if (free === 0) break
      const already = taken.get(id) ?? 0
      const credit = (deficits.get(id) ?? 0) + quantumMs
      const count = Math.min(room - already, free, Math.floor(credit / costMs))
      taken.set(id, already + count)
      free -= count
      const isServed = already + count === room
      if (isServed) deficits.delete(id)
      else deficits.set(id, Math.min(credit - count * costMs, 2 * quantumMs))
    }
    active = active.filter(({ id, room }) => (taken.get(id) ?? 0) < room)
  }
  return taken
}

/** Slots of one priority, and how many of them deliveries to destinations that answer slowly or not at all have. */
export type Slots = Readonly<{ free: number; all: number; slow: number }>

/** A destination that costs this much per delivery is slow. */
export const SLOW_MS = 400

/**
 * Divides free slots among quick and slow destinations. Thousands that never answer would hold every slot until
 * their timeouts, and the quick ones would wait for one to come free: so the slow together get half of the slots at
 * the most. A quarter is reserved for them, so that a rush to the quick ones does not starve them either.
 */
export const shareByPace = (
  candidates: readonly Candidate[],
  { free, all, slow: usedBySlow }: Slots,
  deficits: Map<string, number>,
): Map<string, number> => {
  const slow = candidates.filter(({ costMs }) => costMs >= SLOW_MS)
  const quick = candidates.filter(({ costMs }) => costMs < SLOW_MS)
  const reserved = Math.min(Math.max(all / 4 - usedBySlow, 0), slow.length, free)
  const forQuick = shareSlots(quick, free - reserved, deficits)
  let left = free
  for (const count of forQuick.values()) left -= count
  const forSlow = shareSlots(slow, Math.min(left, Math.max(all / 2 - usedBySlow, 0)), deficits)
  return new Map([...forQuick, ...forSlow])
}
