/** Longest text that is compared, and fewest characters for which one edit counts: most codes differ by one anyway. */
const MAX_LENGTH = 60
const MIN_EDIT_LENGTH = 4

const normalized = (text: string): string => text.toLowerCase().replaceAll(/[_\-\s]/g, '')

/** Checks whether one insertion, deletion, substitution or transposition turns one text into the other. */
function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  if (long.length === short.length + 1) return long.slice(at + 1) === short.slice(at)
  if (long.length !== short.length) return false
  const isTransposed = short[at] === long[at + 1] && short[at + 1] === long[at]
  return (
    short.slice(at + 1) === long.slice(at + 1) || (isTransposed && short.slice(at + 2) === long.slice(at + 2))
  )
}

/**
 * Returns the candidate that the text most likely means: the same but for case, hyphens and underscores, or the only one
 * that is a single edit away.
 */
export function nearestOf(text: unknown, candidates: Iterable<unknown>): string | null {
  if (typeof text !== 'string' || text === '' || text.length > MAX_LENGTH) return null
  const given = normalized(text)
  const known = [...candidates].filter((candidate) => typeof candidate === 'string')
  const same = known.find((candidate) => normalized(candidate) === given)
  if (same !== undefined || given.length < MIN_EDIT_LENGTH) return same ?? null
  const near = known.filter((candidate) => isOneEdit(normalized(candidate), given))
  return near.length === 1 ? (near[0] ?? null) : null
}
