import { isUtf8 } from 'node:buffer'
import { createDetails, type Details } from '@causeway/chassis'
import { Decimal } from 'decimal.js'
import { visit } from 'jsonc-parser'

/** Deepest nesting of objects and arrays that a body may have (decisions §1). */
export const MAX_DEPTH = 32
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor'])

/** Accepted values for a text or a number that is refused as `invalid_value`. */
const CLEAN_TEXT = { expected: 'well-formed Unicode without U+0000' }
const EXACT_NUMBER = { expected: 'a number that a 64-bit float holds exactly; send others as text' }

const isCleanText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')

/** Checks whether a double represents the written number exactly: not rounded, not infinite, not underflowed to 0. */
const isExact = (written: string): boolean => {
  if (written.length <= 15 && !/[eE]/.test(written)) return true
  const value = Number(written)
  if (!Number.isFinite(value)) return false
  if (value === 0) return !/^[^eE]*[1-9]/.test(written)
  return new Decimal(written).equals(value)
}

/** Checks whether brackets nest deeper than {@link MAX_DEPTH}; counted in the bytes, before any recursive parser runs. */
const isTooDeep = (bytes: Uint8Array): boolean => {
  let depth = 0
  let inString = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (inString) {
      if (byte === 0x5c) at += 1
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1
  }
  return false
}

/** Adds what valid JSON may still contain: duplicate and dangerous keys, NUL, lone surrogates, inexact numbers. */
const scan = (text: string, details: Details): void => {
  const keysOfOpenObjects: Set<string>[] = []
  visit(text, {
    onObjectBegin: () => {
      keysOfOpenObjects.push(new Set())
    },
    onObjectEnd: () => {
      keysOfOpenObjects.pop()
    },
    onObjectProperty: (key, _offset, _length, _line, _character, pathOf) => {
      const keys = keysOfOpenObjects.at(-1)
      if (keys?.has(key)) details.add([...pathOf(), key], 'invalid_json')
      else if (FORBIDDEN_KEYS.has(key)) details.add([...pathOf(), key], 'unknown_field')
      else if (!isCleanText(key)) details.add([...pathOf(), key], 'invalid_value', CLEAN_TEXT)
      keys?.add(key)
    },
    onLiteralValue: (value: unknown, offset, length, _line, _character, pathOf) => {
      if (typeof value === 'string' && !isCleanText(value)) details.add(pathOf(), 'invalid_value', CLEAN_TEXT)
      if (typeof value === 'number' && !isExact(text.slice(offset, offset + length)))
        details.add(pathOf(), 'invalid_value', EXACT_NUMBER)
    },
  })
}

/** The text of valid JSON, or the `details` of `invalid_request`, each bad field once. */
export type ValidatedJson = Readonly<{ ok: true; text: string } | { ok: false; details: Details }>

/** Validates the bytes of a JSON body by RFC 8259 and by the stricter rules of decisions §1. */
export const validateJson = (bytes: Buffer): ValidatedJson => {
  const details = createDetails()
  const malformed = (): ValidatedJson => {
    details.add([], 'invalid_json')
    return { ok: false, details }
  }
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  if (hasByteOrderMark || !isUtf8(bytes) || isTooDeep(bytes)) return malformed()
  const text = bytes.toString('utf8')
  try {
    JSON.parse(text)
  } catch {
    return malformed()
  }
  scan(text, details)
  return details.isEmpty() ? { ok: true, text } : { ok: false, details }
}
