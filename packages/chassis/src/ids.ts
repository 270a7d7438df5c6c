import { ID_PREFIXES, type IdKind } from '@causeway/contracts'
import { randomFillSync } from 'node:crypto'

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const CODES = Buffer.from(LETTERS)
const LETTER_BITS = 5
const LETTER_MASK = 31
/** A TypeID's suffix begins with its 48 bits of milliseconds: ten characters of five bits. */
const TIME_LENGTH = 10
const REST_LENGTH = 16

const timePart = (ms: number): string => {
  let rest = ms
  let text = ''
  for (let at = 0; at < TIME_LENGTH; at += 1) {
    text = (LETTERS[rest % LETTERS.length] ?? '') + text
    rest = Math.floor(rest / LETTERS.length)
  }
  return text
}

/** Random bytes are drawn many at a time: one draw costs more than generating an id. */
const pool = Buffer.alloc(8_192)
let drawn = pool.length

const randomByte = (): number => {
  if (drawn === pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  drawn += 1
  return pool[drawn - 1] ?? 0
}

const VERSION = 7
const VARIANT = 0b10
const HEAD_LENGTH = 4
const COUNTER_LIMIT = 4_096
const latest = { ms: Number.NaN, time: '', counter: 0 }

/** A counter of twelve bits within a millisecond; it begins at a random value in its lower half. */
const count = (ms: number): number => {
  if (ms !== latest.ms) {
    latest.ms = ms
    latest.time = timePart(ms)
    latest.counter = COUNTER_LIMIT
  }
  latest.counter += 1
  if (latest.counter >= COUNTER_LIMIT)
    latest.counter = ((randomByte() << 8) | randomByte()) % (COUNTER_LIMIT / 2)
  return latest.counter
}

const rest = Buffer.alloc(REST_LENGTH)
const putLetter = (at: number, bits: number): void => {
  rest[at] = CODES[bits & LETTER_MASK] ?? 0
}

/** A UUIDv7 in base 32 (RFC 9562, 5.7): time, version, a counter (6.2, method 1), variant and 62 random bits. */
const suffixAt = (ms: number): string => {
  const head = (VERSION << 16) | (count(ms) << 4) | (VARIANT << 2) | (randomByte() & 3)
  for (let at = 0; at < HEAD_LENGTH; at += 1) putLetter(at, head >> (LETTER_BITS * (HEAD_LENGTH - 1 - at)))
  for (let at = HEAD_LENGTH; at < REST_LENGTH; at += 1) putLetter(at, randomByte())
  return latest.time + rest.toString('latin1')
}

/**
 * Generates a TypeID of a given time in milliseconds since the epoch, for rows that are read in the order of time. Ids
 * of one process and one millisecond sort in the order of their generation.
 */
export const newIdAt = (kind: IdKind, ms: number): string => `${ID_PREFIXES[kind]}_${suffixAt(ms)}`

/** Generates a TypeID (decisions §1, "Ids"): ordered by time, its last 62 bits random. */
export const newId = (kind: IdKind): string =>
  newIdAt(kind, Math.round(performance.timeOrigin + performance.now()))

/** Sorts before every TypeID of this time or later, and after every earlier one. */
export const firstIdAt = (kind: IdKind, ms: number): string =>
  `${ID_PREFIXES[kind]}_${timePart(Math.max(ms, 0))}${'0'.repeat(REST_LENGTH)}`

/** Checks whether a value has the format of an id of this kind. */
export const isId = (kind: IdKind, value: unknown): value is string => {
  const prefix = ID_PREFIXES[kind]
  return (
    typeof value === 'string' &&
    value.charCodeAt(prefix.length) === 95 &&
    value.startsWith(prefix) &&
    SUFFIX.test(value.slice(prefix.length + 1))
  )
}
