import fc from 'fast-check'

/** The parts of a JSON Schema that are used here. */
export type Schema = Readonly<{
  type?: string | readonly string[]
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  minLength?: number
  maxLength?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}>

type Path = readonly (string | number)[]

/** Marks JSON text that `JSON.stringify` cannot produce; it is inserted unchanged. */
const raw = (json: string) => `<raw>${json}</raw>`
/** Longer than most fields' limits; the others are tested at their limit. */
const LONG = 5_000
const deep = (depth: number): unknown => (depth === 0 ? 'deep' : [deep(depth - 1)])

/** No test may dial another machine: valid URLs name this one, or a reserved name (RFC 6761 §6.4). */
const HOSTILE: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e21, 2 ** 53, -(2 ** 63), 1e-7],
  ...[
    '-0',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1e1',
    '00',
    'NaN',
    '12345678901234567890',
    '1.0000000000000000001',
  ].map(raw),
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\udfff\ud800', '\ufeff', '\u202e', '\r\n', '\t', '\u{1f600}'],
  ...[
    'x'.repeat(LONG),
    '\u{1f600}'.repeat(LONG / 4),
    'é'.repeat(256),
    '\\',
    '%00',
    '%',
    "'; DROP TABLE x; --",
    '${7*7}',
    '../../etc',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '0',
    '-1',
    '1e3',
    '0x10',
    '١٢٣',
    'NaN',
    'Infinity',
    '9'.repeat(400),
  ],
  ...[
    '2026-02-30T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '0000-01-01T00:00:00Z',
    `2026-01-01T00:00:00.${'1'.repeat(129)}Z`,
  ],
  ...[
    '2026-01-01T00:00:00+23:59',
    '2026-01-01',
    'https://',
    'https:name.invalid',
    'javascript:alert(1)',
    'https://a\nb.invalid/',
  ],
  ...[
    'http://127.0.0.1:9/',
    'http://user:pw@127.0.0.1:9/',
    'a@b',
    `${'a'.repeat(250)}@example.com`,
    'XXX',
    'BTC',
    'eur',
  ],
  ...[
    [],
    [[]],
    {},
    [null],
    deep(31),
    deep(40),
    Array.from({ length: 600 }, () => ({})),
    { a: { b: { c: 1 } } },
  ],
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`unknown_${index}`, index])),
]
const HOSTILE_KEYS = [
  'unknown_field',
  '__proto__',
  'constructor',
  'prototype',
  '',
  '\u0000',
  '\ud800',
  'x'.repeat(5_000),
  'toString',
]

/** Values at a schema's limits and just beyond them. */
const edgesOf = (schema: Schema): unknown[] => {
  const inner = (schema.anyOf ?? []).flatMap(edgesOf)
  const edges: unknown[] = [...(schema.enum ?? []), ...inner]
  if (schema.maxLength !== undefined && schema.maxLength <= 20_000)
    edges.push(
      'x'.repeat(schema.maxLength),
      'x'.repeat(schema.maxLength + 1),
      '\u{1f600}'.repeat(schema.maxLength),
    )
  if (schema.minLength !== undefined) edges.push('x'.repeat(Math.max(schema.minLength - 1, 0)))
  if (schema.minimum !== undefined) edges.push(schema.minimum, schema.minimum - 1)
  if (schema.maximum !== undefined) edges.push(schema.maximum, schema.maximum + 1)
  if (schema.maxItems !== undefined && schema.maxItems <= 1_000)
    for (const length of [schema.maxItems, schema.maxItems + 1])
      edges.push(Array.from({ length }, () => schema.items?.enum?.[0] ?? {}))
  return edges
}

type Location = Readonly<{ path: Path; edges: readonly unknown[] }>
const MAX_DEPTH = 4

/** Every location in a body by its schema, including optional fields that the base omits. */
const locationsOf = (schema: Schema, path: Path = []): Location[] => {
  const here: Location = { path, edges: edgesOf(schema) }
  if (path.length > MAX_DEPTH) return [here]
  const variants = [schema, ...(schema.anyOf ?? [])]
  const inner = variants.flatMap(({ properties = {}, items }) => [
    ...Object.entries(properties).flatMap(([name, each]) => locationsOf(each, [...path, name])),
    ...(items === undefined ? [] : locationsOf(items, [...path, 0])),
  ])
  return [here, ...inner]
}

const isHolder = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null

/** A copy with the value at a path replaced, or removed if undefined; missing objects on the path are created. */
const withAt = (value: unknown, [key, ...rest]: Path, by: unknown): unknown => {
  if (key === undefined) return by
  const empty = typeof key === 'number' ? [] : {}
  const copy = (isHolder(value) ? structuredClone(value) : empty) as Record<string | number, unknown>
  const inner = withAt(Object.hasOwn(copy, key) ? copy[key] : undefined, rest, by)
  if (inner === undefined) Reflect.deleteProperty(copy, key)
  else
    Object.defineProperty(copy, key, { value: inner, enumerable: true, configurable: true, writable: true })
  return copy
}

/** JSON text with raw parts unchanged. */
const textOf = (value: unknown): string =>
  ((JSON.stringify(value) as string | undefined) ?? '').replaceAll(/"<raw>(.*?)<\/raw>"/g, '$1')

/** JSON bodies derived from a valid one by up to three changes. */
export const hostileJson = (base: unknown, schema: Schema): fc.Arbitrary<string> => {
  const places = locationsOf(schema)
  const change = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom(...places), fc.constantFrom(...HOSTILE))
        .map(([{ path }, value]) => ({ path, value })),
    },
    {
      weight: 4,
      arbitrary: fc
        .constantFrom(...places)
        .chain(({ path, edges }) =>
          fc.constantFrom(...(edges.length > 0 ? edges : [undefined])).map((value) => ({ path, value })),
        ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...places).map(({ path }) => ({ path, value: undefined })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...places), fc.constantFrom(...HOSTILE_KEYS))
        .map(([{ path }, key]) => ({ path: [...path.slice(0, -1), key], value: 1 })),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...places), fc.string({ unit: 'binary', maxLength: 60 }))
        .map(([{ path }, value]) => ({ path, value })),
    },
  )
  return fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) =>
      textOf(changes.reduce((value: unknown, { path, value: by }) => withAt(value, path, by), base)),
    )
}

const CORRUPTIONS: readonly ((bytes: Buffer, at: number) => Buffer)[] = [
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at)]),
  (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from([0xed, 0xa0, 0x80]), bytes.subarray(at)]),
  (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from([0]), bytes.subarray(at)]),
  (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  (bytes) => Buffer.concat([bytes, bytes]),
  (bytes) => Buffer.concat([Buffer.from('{"a":1,"a":2,'), bytes.subarray(1)]),
  (bytes) => Buffer.from(bytes.toString('latin1'), 'utf16le'),
]

/** The same bytes, corrupted as no JSON writer would. */
export const corrupted = (bodies: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc.tuple(bodies, fc.nat(), fc.constantFrom(...CORRUPTIONS)).map(([text, seed, corrupt]) => {
    const bytes = Buffer.from(text)
    return corrupt(bytes, bytes.length === 0 ? 0 : seed % bytes.length)
  })

const SEGMENTS = [
  '%00',
  '%ED%A0%80',
  '%FF',
  '%',
  '%25',
  '..',
  '.',
  '%2e%2e%2f',
  "'--",
  '%F0%9F%98%80',
  'x'.repeat(5_000),
  '%0d%0a',
  '*',
  'null',
  '0',
  '-1',
  '%20',
]
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

/** Hostile values of a path or query, URL-encoded. */
export const hostileSegment = (like: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...SEGMENTS),
    fc
      .constantFrom(...HOSTILE)
      .filter((value) => typeof value === 'string' && value.length < LONG / 4)
      .map((value) => encoded(String(value))),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).map(encoded),
    fc.constantFrom(`${like}%00`, like.toUpperCase(), `${like}a`, like.slice(0, -1), `%20${like}`),
  )
