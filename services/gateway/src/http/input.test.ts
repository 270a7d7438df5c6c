import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { paramsJsonOf, queryJsonOf, unknownParameters } from './input.ts'

const query = (queryNames: readonly string[], queryIsOptional = false) => ({ queryNames, queryIsOptional })

describe('path parameters', () => {
  test('are empty for a path without parameters', () => {
    expect(paramsJsonOf([], [])).toBeUndefined()
  })

  test('are decoded and written as JSON', () => {
    expect(paramsJsonOf(['a', 'b'], ['pcu_1', 'x%22%2Fy'])).toBe('{"a":"pcu_1","b":"x\\"/y"}')
  })

  test('stay unchanged if they are not percent-encoded UTF-8', () => {
    expect(paramsJsonOf(['a'], ['%E0%A4%A'])).toBe('{"a":"%E0%A4%A"}')
  })

  test('equal the original of every encoded value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const json = paramsJsonOf(['a'], [encodeURIComponent(value)])
        return (JSON.parse(json ?? '') as { a: string }).a === value
      }),
    )
  })
})

describe('the query', () => {
  test('passes only known parameters', () => {
    expect(queryJsonOf(query(['limit']), 'limit=5&__proto__=1&other=2')).toBe('{"limit":"5"}')
  })

  test.each<[string, readonly string[], string, unknown]>([
    ['no query', ['limit'], '', null],
    ['known parameters', ['limit', 'cursor'], 'limit=5&cursor=a&limit=6', null],
    [
      'a typing error',
      ['limit', 'cursor'],
      'limt=5',
      [
        {
          field: 'limt',
          reason: 'unknown_field',
          expected: 'one of the parameters limit, cursor',
          hint: 'Did you mean limit?',
        },
      ],
    ],
    [
      'a parameter of an operation that takes none',
      [],
      'utm_source=mail',
      [{ field: 'utm_source', reason: 'unknown_field', expected: 'no query parameters' }],
    ],
  ])('names unknown parameters of %s', (_, names, search, details) => {
    expect(unknownParameters(query(names), search)).toEqual(details)
  })

  test('passes a repeated parameter as an array', () => {
    expect(queryJsonOf(query(['cursor']), 'cursor=a&cursor=b')).toBe('{"cursor":["a","b"]}')
  })

  test('is undefined for an operation without query parameters', () => {
    expect(queryJsonOf(query([]), 'limit=5')).toBeUndefined()
  })

  test('is passed to an operation for which it is optional only if it was sent', () => {
    expect(['', 'other=1', 'since=1'].map((search) => queryJsonOf(query(['since'], true), search))).toEqual([
      undefined,
      '{}',
      '{"since":"1"}',
    ])
  })

  test('accepts a malformed escape', () => {
    expect(queryJsonOf(query(['cursor']), 'cursor=%E0%A4%A')).toMatch(/^\{"cursor":".*"\}$/)
  })
})
