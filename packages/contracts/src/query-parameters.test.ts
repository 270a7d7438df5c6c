import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import * as contracts from './index.ts'

type Declared = contracts.Operation

const isOperation = (value: unknown): value is Declared =>
  typeof value === 'object' && value !== null && 'subject' in value && 'query' in value

/** Every query parameter of every operation, by the operation's subject. */
const parameters = Object.values(contracts)
  .flatMap((exported) => (typeof exported === 'object' ? (Object.values(exported) as unknown[]) : []))
  .filter(isOperation)
  .map(({ subject, query }) => ({
    subject,
    query: query instanceof z.ZodOptional ? query.unwrap() : query,
  }))
  .flatMap(({ subject, query }) =>
    query instanceof z.ZodObject
      ? Object.entries(query.shape as Record<string, z.ZodType>).map(
          ([name, shape]) => [`${subject} ${name}`, name, shape] as const,
        )
      : [],
  )

/** The service decodes a cursor before it uses what is in it. */
const OPAQUE: ReadonlySet<string> = new Set(['cursor', 'before'])
const LONGEST = 255

const HOSTILE = [
  '\u0000',
  'paid\u0000',
  '\ud800',
  'a\udfff',
  'x'.repeat(10_000),
  '2026-01-01T00:00:00.' + '1'.repeat(129) + 'Z',
  '2026-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  '0000-01-01T00:00:00Z',
  ['a', 'b'],
  ['\u0000'],
]

const isFit = (value: unknown): boolean =>
  value === undefined ||
  typeof value === 'number' ||
  (typeof value === 'string' && value.length <= LONGEST && contracts.isStorable(value))

describe('a query parameter', () => {
  test('occurs more than 40 times in the contracts', () => {
    expect(parameters.length).toBeGreaterThan(40)
  })

  test.each(parameters.filter(([, name]) => !OPAQUE.has(name)))(
    'refuses hostile values of %s, or reads them as values that a statement accepts',
    (_, name, shape) => {
      const read = HOSTILE.map((given) => shape.safeParse(given)).filter(({ success }) => success)
      expect(read.filter(({ data }) => !isFit(data))).toEqual([])
    },
  )
})

test('reads a time in UTC with milliseconds, for any precision and offset', () => {
  const read = (text: string) => contracts.TimestampInput.safeParse(text).data
  expect(read('2026-01-01T00:00:00.1234567+23:59')).toBe('2025-12-31T00:01:00.123Z')
  expect(read('2026-01-01T00:00:00Z')).toBe('2026-01-01T00:00:00.000Z')
  expect(read(`2026-01-01T00:00:00.${'1'.repeat(129)}Z`)).toBeUndefined()
})
