/** Random choices of a seed, the same each time. */
export type Random = Readonly<{
  /** At least 0, below 1. */
  fraction: () => number
  /** An integer from `min` to `max`, both included. */
  integer: (min: number, max: number) => number
  chance: (share: number) => boolean
  pick: <T>(items: readonly [T, ...T[]] | readonly T[]) => T
}>

/** Mulberry32 (Tommy Ettinger, 2017): 32 bits of state, plenty for choosing faults and calls. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (min: number, max: number): number => min + Math.floor(fraction() * (max - min + 1))
  return {
    fraction,
    integer,
    chance: (share) => fraction() < share,
    pick: (items) => {
      if (items.length === 0) throw new Error('There is nothing to pick from')
      return items[integer(0, items.length - 1)] as (typeof items)[number]
    },
  }
}
