import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { validateJson, MAX_DEPTH } from './strict-json.ts'

const faultsOf = (bytes: Buffer) => {
  const json = validateJson(bytes)
  return json.ok ? [] : json.details.list()
}
const faults = (text: string) => faultsOf(Buffer.from(text, 'utf8'))
const malformed = [{ field: 'body', reason: 'invalid_json' }]

describe('the JSON parser, by RFC 8259,', () => {
  test.each([
    '{',
    '{"a":1,}',
    "{'a':1}",
    '// c\n{}',
    '{"a":01}',
    '{"a":NaN}',
    'tru',
    '   ',
    '{"a":"\u0001"}',
    '{}{}',
  ])('refuses malformed text %j as invalid_json of the whole body', (text) => {
    expect(faults(text)).toEqual(malformed)
  })

  test('refuses bytes that are not UTF-8 as invalid_json', () => {
    expect(faultsOf(Buffer.from([0x22, 0xc3, 0x28, 0x22]))).toEqual(malformed)
  })

  test('refuses a byte order mark as invalid_json', () => {
    expect(faults('\ufeff{}')).toEqual(malformed)
  })
})

/** Values that such a field accepts. */
const TEXT = { expected: 'well-formed Unicode without U+0000' }
const NUMBER = { expected: 'a number that a 64-bit float holds exactly; send others as text' }

describe('the JSON parser, by decisions §1,', () => {
  test.each<[text: string, field: string, reason: string, hint?: object]>([
    ['{"a":1,"a":2}', 'a', 'invalid_json'],
    ['{"a":1,"\\u0061":2}', 'a', 'invalid_json'],
    ['{"lines":[{"q":1},{"q":1,"q":1}]}', 'lines.1.q', 'invalid_json'],
    ['{"__proto__":{}}', '__proto__', 'unknown_field'],
    ['{"a":[{"\\u005f_proto__":1}]}', 'a.0.__proto__', 'unknown_field'],
    ['{"a":{"constructor":{}}}', 'a.constructor', 'unknown_field'],
    ['{"a":"\\u0000"}', 'a', 'invalid_value', TEXT],
    ['{"a\\u0000":1}', 'a\ufffd', 'invalid_value', TEXT],
    ['{"a":"\\ud800"}', 'a', 'invalid_value', TEXT],
    ['{"a":["ok","\\udc00x"]}', 'a.1', 'invalid_value', TEXT],
    ['"\\ud800"', 'body', 'invalid_value', TEXT],
    ['{"a":1e400}', 'a', 'invalid_value', NUMBER],
    ['{"a":-1e400}', 'a', 'invalid_value', NUMBER],
    ['{"a":1e-400}', 'a', 'invalid_value', NUMBER],
    ['{"a":1e99999999999999999999}', 'a', 'invalid_value', NUMBER],
    ['{"a":1e-99999999999999999999}', 'a', 'invalid_value', NUMBER],
    ['{"a":12345678901234567890}', 'a', 'invalid_value', NUMBER],
    ['{"a":9007199254740993}', 'a', 'invalid_value', NUMBER],
    ['{"a":0.1000000000000000000001}', 'a', 'invalid_value', NUMBER],
  ])('reports for %s the field %s as %s', (text, field, reason, hint = {}) => {
    expect(faults(text)).toEqual([{ field, reason, ...hint }])
  })

  test(`accepts ${MAX_DEPTH} levels and refuses another one`, () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(faults(nested(MAX_DEPTH))).toEqual([])
    expect(faults(nested(MAX_DEPTH + 1))).toEqual(malformed)
  })

  test('refuses 120,000 open brackets without exhausting the stack', () => {
    expect(faults('['.repeat(120_000) + ']'.repeat(120_000))).toEqual(malformed)
  })

  test('ignores brackets inside strings when it counts levels', () => {
    expect(faults(JSON.stringify({ a: '["\\'.repeat(100) }))).toEqual([])
  })

  test('reports each invalid field once, in the order of the body', () => {
    expect(faults('{"b":1e400,"a":"\\u0000","b":1e400}')).toEqual([
      {
        field: 'b',
        reason: 'invalid_value',
        expected: 'a number that a 64-bit float holds exactly; send others as text',
      },
      { field: 'a', reason: 'invalid_value', expected: 'well-formed Unicode without U+0000' },
    ])
  })
})

describe('the JSON parser', () => {
  test.each([
    '{}',
    'null',
    '[]',
    '{"a":1.10,"b":-0,"c":0.0,"d":1e2,"e":1E+2,"f":0e99}',
    '{"a":9007199254740991}',
  ])('accepts %s', (text) => {
    expect(faults(text)).toEqual([])
  })

  test('accepts every value that JSON.stringify writes from clean text', () => {
    const clean = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\u0000', ''))
    const key = clean.filter((text) => text !== '__proto__' && text !== 'constructor')
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constant(null),
        fc.boolean(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        clean,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(fc.property(value, (written) => faults(JSON.stringify(written)).length === 0))
  })

  test('throws for no bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => Array.isArray(faultsOf(Buffer.from(bytes)))),
    )
  })
})
