/** A TypeID as `newId` makes it; one whose time is 0 was given by {@link createCanonicalIds}. */
const ID = /\b([a-z]+)_([0-7][0-9a-hjkmnp-tv-z]{9})([0-9a-hjkmnp-tv-z]{16})\b/g
const EPOCH = '0'.repeat(10)
const UUID = /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const NO_TIME = '0'.repeat(8)

const suffixOf = (owner: number, ordinal: number): string =>
  `${EPOCH}${String(owner).padStart(8, '0')}${String(ordinal).padStart(8, '0')}`

/** The id that the owner's n-th new id becomes. */
export const canonicalId = (prefix: string, owner: number, ordinal: number): string =>
  `${prefix}_${suffixOf(owner, ordinal)}`

export type CanonicalIds = Readonly<{
  rewrite: <T>(value: T) => T
  /** The same from here on, for work that is run any number of times before the next {@link CanonicalIds.advance}. */
  fork: () => CanonicalIds
  advance: () => void
}>

/** Ids that are derived from what they name (ADR 0073): they are the same in every history. */
const DERIVED: ReadonlySet<string> = new Set(['jnl', 'ent'])

/** More than any request draws. */
const IDS_A_REQUEST = 1_000

/**
 * Replaces ids drawn at random by ids that depend on nothing but who draws them and how many it has drawn, so that a
 * repeated history makes the same state. Dates, bytes and errors are kept as they are.
 */
export const createCanonicalIds = (
  owner: number,
  before: ReadonlyMap<string, string> = new Map(),
  first = 0,
): CanonicalIds => {
  const known = new Map(before)
  let base = first
  const replace = (id: string, prefix: string, time: string): string => {
    if (time === EPOCH || DERIVED.has(prefix)) return id
    const given = known.get(id) ?? canonicalId(prefix, owner, base + known.size)
    known.set(id, given)
    return given
  }
  const replaceUuid = (uuid: string, head: string): string => {
    if (head === NO_TIME) return uuid
    // Twelve digits: the last four of the owner, and its ordinal.
    const tail = suffixOf(owner, base + known.size).slice(-12)
    const given = known.get(uuid) ?? `${NO_TIME}-0000-4000-8000-${tail}`
    known.set(uuid, given)
    return given
  }
  const rewrite = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(ID, replace).replace(UUID, replaceUuid)
    if (Array.isArray(value)) return value.map(rewrite)
    if (typeof value !== 'object' || value === null) return value
    if (Object.getPrototypeOf(value) !== Object.prototype) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rewrite(inner)]))
  }
  return {
    rewrite: <T>(value: T) => rewrite(value) as T,
    fork: () => createCanonicalIds(owner, known, base),
    advance: () => {
      base += IDS_A_REQUEST
    },
  }
}
