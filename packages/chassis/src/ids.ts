import { ID_PREFIXES, type IdKind } from '@causeway/contracts'
import { typeidUnboxed } from 'typeid-js'

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Mints a TypeID (decisions §1, "Ids"): time-ordered, unguessable in its last 74 bits. */
export const newId = (kind: IdKind): string => typeidUnboxed(ID_PREFIXES[kind])

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
