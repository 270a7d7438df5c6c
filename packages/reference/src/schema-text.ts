import { propertiesOf, type JsonSchema } from './json-schema.ts'

/** One field of a type, or one parameter, ready to be a row of a table. */
export type Field = Readonly<{ name: string; type: string; required: boolean; notes: string }>

const COMPONENT = '#/components/schemas/'

/** The anchor of a type's heading on the page. */
export const anchorOf = (name: string): string => name.toLowerCase()

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

const variantsOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly JsonSchema[]

const isShape = (schema: JsonSchema): boolean => Object.keys(schema).length > 0

const objectText = ({ additionalProperties: more }: JsonSchema): string =>
  typeof more === 'object' && more !== null && isShape(more as JsonSchema)
    ? `object of ${typeText(more as JsonSchema)}`
    : 'object'

const singleType = (type: string, schema: JsonSchema): string => {
  if (type === 'array') return `array of ${typeText((schema['items'] ?? {}) as JsonSchema)}`
  if (type === 'object') return objectText(schema)
  return schema['format'] === 'binary' ? 'bytes' : type
}

/** A schema as a reader names it: a named type as a link to it. */
export const typeText = (schema: JsonSchema): string => {
  const { $ref, type, const: value, enum: values } = schema
  if (typeof $ref === 'string') {
    const name = $ref.slice(COMPONENT.length)
    return `[${name}](#${anchorOf(name)})`
  }
  const variants = variantsOf(schema)
  // If a type is present too, the alternatives only restrict it.
  if (variants.length > 0 && type === undefined) return unique(variants.map(typeText)).join(' or ')
  if (value !== undefined) return `\`${textOf(value)}\``
  if (Array.isArray(values)) return values.map((each) => `\`${textOf(each)}\``).join(', ')
  if (Array.isArray(type)) return type.map((each: string) => singleType(each, schema)).join(' or ')
  if (typeof type === 'string') return singleType(type, schema)
  return schema['properties'] === undefined ? 'any JSON' : 'object'
}

const BOUNDS: Readonly<Record<string, (bound: unknown) => string>> = {
  minLength: (bound) => `at least ${textOf(bound)} characters`,
  maxLength: (bound) => `at most ${textOf(bound)} characters`,
  minimum: (bound) => `from ${textOf(bound)}`,
  exclusiveMinimum: (bound) => `above ${textOf(bound)}`,
  maximum: (bound) => `to ${textOf(bound)}`,
  minItems: (bound) => `at least ${textOf(bound)} items`,
  maxItems: (bound) => `at most ${textOf(bound)} items`,
}

/** The bounds of a value, and its schema's description. */
export const notesText = (schema: JsonSchema): string => {
  const description = typeof schema['description'] === 'string' ? [schema['description']] : []
  const bounds = Object.entries(BOUNDS).flatMap(([key, say]) =>
    schema[key] === undefined ? [] : [say(schema[key])],
  )
  return [...description, ...bounds].join('; ')
}

/** Objects inside a field that have no name of their own: itself, its items, the values of its keys, or a variant. */
const unnamedInside = (schema: JsonSchema): readonly (readonly [suffix: string, inner: JsonSchema])[] => {
  const { items, additionalProperties: more, properties } = schema
  return [
    ...(properties === undefined ? [] : [['', schema] as const]),
    ...variantsOf(schema).flatMap(unnamedInside),
    ...(items === undefined ? [] : unnamedInside(items as JsonSchema)).map(
      ([suffix, inner]) => [`[]${suffix}`, inner] as const,
    ),
    ...(typeof more === 'object' && more !== null ? unnamedInside(more as JsonSchema) : []).map(
      ([suffix, inner]) => [`.*${suffix}`, inner] as const,
    ),
  ]
}

/** A row for the keys that a schema does not name: those of events that bear the name of a processor or a provider. */
const otherKeys = ({ properties, additionalProperties: more }: JsonSchema, prefix: string): Field[] =>
  properties !== undefined && typeof more === 'object' && more !== null && isShape(more as JsonSchema)
    ? [{ name: `${prefix}*`, type: typeText(more as JsonSchema), required: false, notes: 'Every other key' }]
    : []

/** The fields of a schema, and of the objects in it that have no name, by dotted path. */
export const fieldsOf = (schema: JsonSchema, path = ''): Field[] =>
  unnamedInside(schema).flatMap(([suffix, object]) => {
    const prefix = `${path}${suffix}${path === '' && suffix === '' ? '' : '.'}`
    const named = propertiesOf(object).flatMap(({ name, required, schema: inner }) => [
      { name: `${prefix}${name}`, type: typeText(inner), required, notes: notesText(inner) },
      ...fieldsOf(inner, `${prefix}${name}`),
    ])
    return [...named, ...otherKeys(object, prefix)]
  })
