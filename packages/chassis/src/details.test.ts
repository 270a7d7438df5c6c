import { Currency, idOf, refunds, TimestampInput, verifications } from '@causeway/contracts'
import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { detailsFromZod } from './bus/refusal-from-zod.ts'
import { createDetails } from './details.ts'

const detailsOf = (paths: readonly (readonly PropertyKey[])[]) => {
  const details = createDetails()
  for (const path of paths) details.add(path, 'invalid_value')
  return details.list()
}
const numbered = (count: number) => Array.from({ length: count }, (_, index) => [`k${index}`])
const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ field: `k${index}`, reason: 'invalid_value' }))

describe('details of an error (decisions §18)', () => {
  test('lists 20 details in full, and of 21 the first 19 with the number of omitted ones', () => {
    expect(detailsOf(numbered(20))).toEqual(entries(20))
    expect(detailsOf(numbered(21))).toEqual([...entries(19), { reason: 'more', count: 2 }])
  })

  test('counts a field once by its full name, even when the shown names are equal', () => {
    expect(detailsOf([...numbered(20), ...numbered(20)])).toEqual(entries(20))
    const alike = Array.from({ length: 25 }, (_, index) => ['x'.repeat(200) + String(index)])
    const shown = { field: 'x'.repeat(100), reason: 'invalid_value' }
    expect(detailsOf(alike)).toEqual([
      ...Array.from({ length: 19 }, () => shown),
      { reason: 'more', count: 6 },
    ])
  })

  test.each([
    ['a long key', ['k'.repeat(300)], 'k'.repeat(100)],
    ['a long path', ['a'.repeat(60), 0, 'b'.repeat(60)], `${'a'.repeat(60)}.0.${'b'.repeat(37)}`],
    ['a pair at the cut', [`${'a'.repeat(99)}😀b`], 'a'.repeat(99)],
    ['a pair before the cut', [`${'a'.repeat(98)}😀b`], `${'a'.repeat(98)}😀`],
    ['a lone surrogate', ['a\ud800'], 'a\ufffd'],
    ['a NUL', ['a\u0000'], 'a\ufffd'],
    ['the body itself', [], 'body'],
  ])('cuts %s to 100 well-formed characters', (_, path, field) => {
    expect(detailsOf([path])).toEqual([{ field, reason: 'invalid_value' }])
  })
})

const KIB = 1_024
const filled = (head: string, unit: (index: number) => string, tail: string, bytes = 256 * KIB) => {
  const units: string[] = []
  for (let size = head.length + tail.length, index = 0; ; index += 1) {
    const next = unit(index)
    size += next.length
    if (size > bytes) return head + units.join('') + tail
    units.push(next)
  }
}
const judge = (body: typeof refunds.create.body | typeof verifications.submit.body, text: string) => {
  const input: unknown = JSON.parse(text)
  const parsed = body.safeParse(input)
  return parsed.success ? [] : detailsFromZod(parsed.error, input, body)
}

describe('hostile bodies of 256 KiB', () => {
  const key = (index: number) => `"${index.toString(36)}":1,`
  test.each([
    ['unknown keys', refunds.create.body, filled('{', key, '"last":1}')],
    ['unknown keys of a group', verifications.submit.body, filled('{"business":{', key, '"last":1}}')],
    [
      'one key of 100 KB before thousands of bad items',
      verifications.submit.body,
      filled(`{"additional_data":{"${'k'.repeat(100_000)}":[`, () => '{},', '{}]}}'),
    ],
    ['100,000 lines', refunds.create.body, filled('{"amount_cents":1,"order_lines":[', () => '1,', '1]}')],
  ])('returns at most 20 details of a few kilobytes for %s', (_, body, text) => {
    const details = judge(body, text)
    expect(details.length).toBeGreaterThan(0)
    expect(details.length).toBeLessThanOrEqual(20)
    expect(JSON.stringify(details).length).toBeLessThan(4 * KIB)
  })

  test('reports the number of omitted fields', () => {
    const text = JSON.stringify(
      Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`u${index}`, 1])),
    )
    const details = judge(refunds.create.body, text)
    expect(details).toHaveLength(20)
    // amount_cents is missing, too.
    expect(details.at(-1)).toEqual({ reason: 'more', count: 30_001 - 19 })
  })
})

const detailsFor = (schema: z.ZodType, input: unknown) => {
  const parsed = schema.safeParse(input)
  return parsed.success ? [] : detailsFromZod(parsed.error, input, schema)
}

describe('expected values of a refused field', () => {
  const many = Array.from({ length: 51 }, (_, index) => `v${index}`) as [string, ...string[]]
  test.each<[string, z.ZodType, unknown, object]>([
    ['few values', z.enum(['red', 'blue']), 'green', { allowed: ['red', 'blue'] }],
    ['many values', z.enum(many), 'green', { expected: 'one of 51 values, such as v0, v1, v2' }],
    ['a format', z.ipv4(), 'x', { expected: 'an IPv4 address' }],
    ['a pattern', z.string().regex(/^a+$/), 'b', { expected: 'text that matches /^a+$/' }],
    [
      'alternatives of the type of the value',
      z.union([z.ipv4(), z.ipv6(), z.number()]),
      'x',
      { expected: 'an IPv4 address or an IPv6 address' },
    ],
    [
      'values of alternatives',
      z.union([z.literal('a'), z.enum(['b', 'c'])]),
      'd',
      { expected: 'a or b or c' },
    ],
    ['a step', z.number().multipleOf(5), 7, { expected: 'a multiple of 5' }],
  ])('are listed for %s', (_, schema, input, hint) => {
    expect(detailsFor(z.strictObject({ field: schema }), { field: input })).toEqual([
      { field: 'field', reason: 'invalid_value', ...hint },
    ])
  })

  test('names what is expected of a key', () => {
    expect(detailsFor(z.record(z.string().regex(/^a/), z.number()), { b: 1 })).toEqual([
      { field: 'b', reason: 'invalid_value', expected: 'text that matches /^a/' },
    ])
  })
})

const ORDER = 'ord_01m801kfq8eness51qpyf2cy99'

describe('the hint of a refused field', () => {
  test.each<[string, z.ZodType, unknown, string, object]>([
    ['a text that is too long', z.string().max(3), 'abcd', 'too_long', { expected: 'at most 3 characters' }],
    ['an empty text', z.string().min(1), '', 'too_short', { expected: 'at least 1 character' }],
    ['too many items', z.array(z.string()).max(1), ['a', 'b'], 'too_many', { expected: 'at most 1 item' }],
    ['an empty list', z.array(z.string()).min(2), [], 'too_short', { expected: 'at least 2 items' }],
    ['a number that is too big', z.int().max(99), 100, 'too_big', { expected: 'at most 99' }],
    ['a number that is too small', z.number().gt(0), 0, 'too_small', { expected: 'more than 0' }],
    ['text instead of a number', z.number(), '1', 'invalid_type', { expected: 'a number' }],
    ['a fraction', z.int(), 1.5, 'invalid_type', { expected: 'an integer' }],
    ['a number instead of text', z.string(), 1, 'invalid_type', { expected: 'text' }],
    ['text instead of a list', z.array(z.string()), 'a', 'invalid_type', { expected: 'a list' }],
    [
      'a type that no alternative has',
      z.union([z.string(), z.number()]),
      true,
      'invalid_type',
      { expected: 'text or a number' },
    ],
    [
      'a date of another form',
      z.iso.date(),
      '1.2.2026',
      'invalid_date',
      { expected: 'a date in the form YYYY-MM-DD' },
    ],
    [
      'a time without an offset',
      TimestampInput,
      '2026-01-01T00:00:00',
      'invalid_date',
      { expected: 'a time in ISO 8601 with an offset or Z, such as 2026-11-01T12:00:00Z' },
    ],
    [
      'a value in another case',
      z.enum(['BTC', 'ETH']),
      'btc',
      'invalid_value',
      { allowed: ['BTC', 'ETH'], hint: 'Did you mean BTC?' },
    ],
    [
      'a value with a typing error',
      z.enum(['paid', 'pending']),
      'pendign',
      'invalid_value',
      { allowed: ['paid', 'pending'], hint: 'Did you mean pending?' },
    ],
    [
      'a currency in lower case',
      Currency,
      'eur',
      'invalid_value',
      { expected: 'the ISO 4217 code of a currency in circulation', hint: 'Did you mean EUR?' },
    ],
    [
      'an id of another kind',
      idOf('cryptoOrder'),
      ORDER.replace('ord', 'cus'),
      'invalid_value',
      {
        expected: 'an order id (ord_…)',
        hint: 'This is a customer id (cus_…); give an order id (ord_…).',
      },
    ],
    ['text instead of an id', idOf('cryptoOrder'), 'x', 'invalid_value', { expected: 'an order id (ord_…)' }],
  ])('names what is accepted instead of %s', (_, schema, input, reason, hint) => {
    expect(detailsFor(z.strictObject({ field: schema }), { field: input })).toEqual([
      { field: 'field', reason, ...hint },
    ])
  })

  test.each([
    ['orderId', 'Did you mean order_id?'],
    ['emial', 'Did you mean email?'],
    ['nothing_like_it', undefined],
  ])('names the known field nearest to the unknown %s, also inside a list', (key, hint) => {
    const Item = z.strictObject({ email: z.string().optional(), order_id: z.string().optional() })
    const schema = z.strictObject({ items: z.array(Item.nullable()).optional() })
    expect(detailsFor(schema, { items: [{ [key]: 1 }] })).toEqual([
      { field: `items.0.${key}`, reason: 'unknown_field', ...(hint !== undefined && { hint }) },
    ])
  })

  test.each(['EUX', 'E', 'abcd', 'x'.repeat(10_000), 5, null])(
    'proposes nothing for %p, which is near no value or near several',
    (given) => {
      const details = detailsFor(z.enum(['EUR', 'USD', 'abcx', 'abcy']), given)
      expect(details).toEqual([expect.not.objectContaining({ hint: expect.anything() })])
    },
  )
})
