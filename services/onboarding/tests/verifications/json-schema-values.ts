import fc from 'fast-check'

export type JsonSchema = Readonly<{
  type?: string | readonly string[]
  enum?: readonly string[]
  anyOf?: readonly JsonSchema[]
  properties?: Readonly<Record<string, JsonSchema>>
  items?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
  maxLength?: number
  maxItems?: number
  maxProperties?: number
  minimum?: number
  maximum?: number
}>

/** Text that the gateway accepts: well-formed, without NUL. */
const textUpTo = (maxLength: number) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.string({ unit: 'grapheme', maxLength: Math.min(maxLength, 30) }) },
    { weight: 1, arbitrary: fc.constant('x'.repeat(maxLength)) },
    { weight: 1, arbitrary: fc.constant('😀'.repeat(maxLength)) },
  )
const withoutNul = (text: string) => text.replaceAll('\u0000', '')

/** Generates values of a schema; some are at its limits on purpose. */
export const valuesOf = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === undefined && schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf))
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => valuesOf({ ...schema, type })))
  switch (schema.type as string) {
    case 'string':
      return textUpTo(schema.maxLength ?? 50).map(withoutNul)
    case 'number':
      return fc.double({
        min: schema.minimum ?? -1e9,
        max: schema.maximum ?? 1e9,
        noNaN: true,
        noDefaultInfinity: true,
      })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: Math.min(schema.maxItems ?? 5, 4) })
    case 'object':
      return schema.properties
        ? fc.record(
            Object.fromEntries(
              Object.entries(schema.properties).map(([key, inner]) => [key, valuesOf(inner)]),
            ),
            { requiredKeys: [] },
          )
        : fc.dictionary(
            textUpTo(schema.propertyNames?.maxLength ?? 20).map((key) => `k${withoutNul(key)}`.slice(0, 60)),
            valuesOf(schema.additionalProperties as JsonSchema),
            { maxKeys: 6 },
          )
    default:
      throw new Error(`No values for ${JSON.stringify(schema)}`)
  }
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

const HOSTILE: readonly Json[] = [
  null,
  true,
  0,
  -1,
  24.999,
  100.5,
  1e308,
  '',
  'x'.repeat(2_001),
  '😀'.repeat(2_001),
  'no_qualifying_ubo',
  'GB',
  'gb',
  [],
  [[1]],
  {},
  { a: { b: 1 } },
  Array.from({ length: 51 }, () => 'card'),
  Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])),
]

const pathsIn = (value: unknown, path: readonly (string | number)[] = []): (string | number)[][] => {
  if (typeof value !== 'object' || value === null) return [[...path]]
  return [
    [...path],
    ...Object.entries(value).flatMap(([key, inner]) =>
      pathsIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

const replaceAt = (value: unknown, path: readonly (string | number)[], by: Json): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return by
  const copy = structuredClone(value) as Record<string | number, unknown>
  copy[key] = replaceAt(copy[key], rest, by)
  return copy
}

/** A value with one part replaced by a hostile value, or with an unknown field. */
export const mutationsOf = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(values, fc.nat(), fc.constantFrom(...HOSTILE), fc.boolean())
    .map(([value, seed, hostile, addsField]) => {
      const paths = pathsIn(value)
      const path = paths[seed % paths.length] ?? []
      return addsField
        ? replaceAt(value, [...path.slice(0, -1), 'unknown_field'], hostile)
        : replaceAt(value, path, hostile)
    })
