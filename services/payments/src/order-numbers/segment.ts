import type { Network } from '@causeway/contracts'

/** Kinds of numbers: the orders of a network, and the keys of card orders. */
export type Numbered = Network | 'card'

/** Numbers that one grant adds. */
export const STEP = 1_000
/**
 * Numbers a second that are handed out at most, and more: an order costs PostgreSQL alone 70 µs of CPU. What may have been
 * handed out since a moment is bounded by it.
 */
const MOST_PER_SECOND = 10_000
/** Numbers whose addresses are kept where nothing says how many of the skipped ones were handed out. */
const MOST_WATCHED = 20_000
/** Numbers that the previous version uses while both versions run: never granted. */
const FORMER = { first: 2_146_483_616, ending: 2 ** 31 }
/** Card keys of the version before begin here. */
export const CARD_KEYS_END = 900_000_000_000

/**
 * The run of the database's server, compared with the one that was granted the row's ceiling. `first`: no run was, and the
 * row was created in this one.
 * `restarted`: the server reports the same data folder, as a copy of the folder does too. `other`: the server was promoted
 * or restored, or the row is a copy.
 */
export type RunState = 'first' | 'same' | 'restarted' | 'other'

/** State in the database. `seenAtMs`: last time at which it included all numbers handed out. */
export type KnownNumbers = Readonly<{ next: number; ceiling: number; seenAtMs: number; run: RunState }>

/** The mark outside of the database: no number from `ceiling` on was handed out at `seenAtMs`. */
export type NumberMark = Readonly<{ ceiling: number; seenAtMs: number }>

/** Numbers that may be handed out, those from `ceiling` on excluded, and the skipped ones whose addresses are kept. */
export type Segment = Readonly<{
  first: number
  ceiling: number
  skipped: Readonly<{ first: number; ending: number }> | null
}>

/** Checks whether a grant is needed now or soon. */
export const isShort = ({ run, next, ceiling }: KnownNumbers): boolean =>
  run !== 'same' || ceiling - next < STEP / 2

/** The first number that nobody can have handed out. */
const floorOf = (known: KnownNumbers, mark: NumberMark | null, nowMs: number): number => {
  const marked = mark?.ceiling ?? 0
  if (known.run === 'first') return Math.max(known.next, marked)
  // The database has not gone back. A mark above its ceiling is another database's, or of a grant that was not finished.
  if (known.run === 'same') return marked > known.ceiling ? marked : known.next
  const highest = Math.max(known.ceiling, marked)
  if (known.run === 'restarted' && mark !== null && marked >= known.ceiling) return highest
  const unseenMs = Math.max(0, nowMs - Math.max(known.seenAtMs, mark?.seenAtMs ?? 0))
  return highest + Math.ceil((unseenMs / 1_000) * MOST_PER_SECOND)
}

/** Those of the skipped numbers that were, or may have been, handed out. */
const skippedIn = (known: KnownNumbers, mark: NumberMark | null, first: number): Segment['skipped'] => {
  if (known.run === 'same' || known.run === 'first' || first === known.next) return null
  const ending = Math.max(known.ceiling, mark?.ceiling ?? known.ceiling + MOST_WATCHED)
  return { first: known.next, ending: Math.min(first, ending) }
}

/**
 * Returns the numbers to grant next. They were never handed out before, whatever happened to the database, as long as the mark
 * exists; if it was lost with the database, as long as the clock is right (ADR 0072).
 */
export const nextSegment = (known: KnownNumbers, mark: NumberMark | null, nowMs: number): Segment => {
  const floor = floorOf(known, mark, nowMs)
  const top = Math.max(known.run === 'same' ? known.ceiling : 0, floor) + STEP
  const isFormer = floor < FORMER.ending && top > FORMER.first
  const first = isFormer ? FORMER.ending : floor
  return {
    first,
    ceiling: isFormer ? FORMER.ending + STEP : top,
    skipped: skippedIn(known, mark, first),
  }
}
