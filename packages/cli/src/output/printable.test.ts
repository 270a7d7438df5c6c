import { expect, test } from '@jest/globals'
import { printable, printableJson } from './printable.ts'

const HOSTILE = 'a\u009b2Jb\u202ec\u2066d\u200fe\u001b[31mf\u0007'

test('replaces control characters, U+009B included, and characters that reorder text', () => {
  expect(printable(HOSTILE)).toBe('ab c d ef ')
  expect(printable('two\n\tlines: é 日 עברית')).toBe('two\n\tlines: é 日 עברית')
})

test('escapes the same characters in JSON, which keeps its value', () => {
  const text = printableJson({ note: HOSTILE })
  expect(text).toMatch(/^[ -~]+$/)
  expect(JSON.parse(text)).toEqual({ note: HOSTILE })
})
