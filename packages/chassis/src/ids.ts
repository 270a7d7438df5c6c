import { ID_PREFIXES, type IdKind } from '@causeway/contracts'
import { typeidUnboxed } from 'typeid-js'

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Mints a TypeID (decisions §1, "Ids"): time-ordered, unguessable in its last 74 bits. */
export const newId = (kind: IdKind): string => typeidUnboxed(ID_PREFIXES[kind])

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** A TypeID's suffix begins with its 48 bits of milliseconds: ten characters of five bits. */
const TIME_LENGTH = 10
const REST_LENGTH = 16

const timePart = (ms: number): string => {
  let rest = ms
  let text = ''
  for (let at = 0; at < TIME_LENGTH; at += 1) {
    text = (ALPHABET[rest % ALPHABET.length] ?? '') + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}

/** Mints a TypeID of a given time, milliseconds since the epoch: for rows that are read in the order of the clock. */
export const newIdAt = (kind: IdKind, ms: number): string => {
  const id = newId(kind)
  const timeAt = ID_PREFIXES[kind].length + 1
  return id.slice(0, timeAt) + timePart(ms) + id.slice(timeAt + TIME_LENGTH)
}

/** Sorts before every TypeID of this time or later, and behind every earlier one. */
export const firstIdAt = (kind: IdKind, ms: number): string =>
  `${ID_PREFIXES[kind]}_${timePart(Math.max(ms, 0))}${'0'.repeat(REST_LENGTH)}`

/** Whether a value has the form of an id of this kind. */
export const isId = (kind: IdKind, value: unknown): value is string => {
  const prefix = ID_PREFIXES[kind]
  return (
    typeof value === 'string' &&
    value.charCodeAt(prefix.length) === 95 &&
    value.startsWith(prefix) &&
    SUFFIX.test(value.slice(prefix.length + 1))
  )
}
