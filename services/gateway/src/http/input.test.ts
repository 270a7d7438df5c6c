import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { paramsJsonOf, queryJsonOf } from './input.ts'

const query = (queryNames: readonly string[], queryIsOptional = false) => ({ queryNames, queryIsOptional })

describe('path parameters', () => {
  test('a path without any has none', () => {
    expect(paramsJsonOf([], [])).toBeUndefined()
  })

  test('values are decoded and written as JSON', () => {
    expect(paramsJsonOf(['a', 'b'], ['pcu_1', 'x%22%2Fy'])).toBe('{"a":"pcu_1","b":"x\\"/y"}')
  })

  test('a value that is no percent-encoding of UTF-8 stays as it is', () => {
    expect(paramsJsonOf(['a'], ['%E0%A4%A'])).toBe('{"a":"%E0%A4%A"}')
  })

  test('decodes every encoded value to the original', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const json = paramsJsonOf(['a'], [encodeURIComponent(value)])
        return (JSON.parse(json ?? '') as { a: string }).a === value
      }),
    )
  })
})

describe('query', () => {
  test('only known parameters go on', () => {
    expect(queryJsonOf(query(['limit']), 'limit=5&__proto__=1&other=2')).toBe('{"limit":"5"}')
  })

  test('a parameter given twice becomes an array', () => {
    expect(queryJsonOf(query(['cursor']), 'cursor=a&cursor=b')).toBe('{"cursor":["a","b"]}')
  })

  test('an operation without query parameters gets none', () => {
    expect(queryJsonOf(query([]), 'limit=5')).toBeUndefined()
  })

  test('one that an operation may go without is sent only where it was given', () => {
    expect(['', 'other=1', 'since=1'].map((search) => queryJsonOf(query(['since'], true), search))).toEqual([
      undefined,
      '{}',
      '{"since":"1"}',
    ])
  })

  test('a malformed escape harms nothing', () => {
    expect(queryJsonOf(query(['cursor']), 'cursor=%E0%A4%A')).toMatch(/^\{"cursor":".*"\}$/)
  })
})
