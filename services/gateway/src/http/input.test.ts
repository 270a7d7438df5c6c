import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { paramsJsonOf, queryJsonOf } from './input.ts'

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

  test('whatever is encoded comes out again', () => {
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
    expect(queryJsonOf(['limit'], 'limit=5&__proto__=1&other=2')).toBe('{"limit":"5"}')
  })

  test('a parameter given twice becomes an array', () => {
    expect(queryJsonOf(['cursor'], 'cursor=a&cursor=b')).toBe('{"cursor":["a","b"]}')
  })

  test('an operation without query parameters gets none', () => {
    expect(queryJsonOf([], 'limit=5')).toBeUndefined()
  })

  test('a malformed escape harms nothing', () => {
    expect(queryJsonOf(['cursor'], 'cursor=%E0%A4%A')).toMatch(/^\{"cursor":".*"\}$/)
  })
})
