import { z } from 'zod'
import * as contracts from '@causeway/contracts'
import { OAuthErrorReply, RevocationRequest, TokenReply, TokenRequest } from '@causeway/contracts/http'

const { ID_SCHEMAS, MERCHANT_EVENT_BODIES, PARTNER_EVENTS } = contracts

const pascalCase = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** Types have names in upper case; schemas in lower case are parts of others, such as the parameters of a path. */
const isType = (name: string): boolean => /^[A-Z]/.test(name)

/** Schemas by the names that the document gives them. */
const named: readonly (readonly [string, unknown])[] = [
  ...Object.entries(contracts).filter(([name]) => isType(name)),
  ...Object.entries(ID_SCHEMAS).map(([kind, schema]) => [`${pascalCase(kind)}Id`, schema] as const),
  ...Object.entries({ ...PARTNER_EVENTS, ...MERCHANT_EVENT_BODIES }),
  ...Object.entries({ TokenRequest, TokenReply, RevocationRequest, OAuthError: OAuthErrorReply }),
]

/**
 * Names of components: every schema that the contracts export has the name of its export, an id that of its kind, an
 * event's body that of its type in the receiver kit. They are not in zod's global registry, where an id would turn a
 * schema into `$ref` and `$defs` wherever it is converted.
 */
const COMPONENT_NAMES: ReadonlyMap<z.ZodType, string> = new Map(
  named.flatMap(([name, schema]) => (schema instanceof z.ZodType ? [[schema, name] as const] : [])),
)

/** zod's registry of descriptions, with the components' names as ids. */
class ComponentRegistry extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType): z.core.GlobalMeta | undefined {
    const meta = z.globalRegistry.get(schema)
    const id = COMPONENT_NAMES.get(schema as z.ZodType)
    return id === undefined ? meta : { ...meta, id }
  }
}

const COMPONENTS = new ComponentRegistry()

/** A JSON Schema 2020-12 object, which is what OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>

type Direction = 'input' | 'output'

/** Keywords that say nothing to a reader: bounds of every JavaScript integer, and formats that only zod knows. */
const MEANINGLESS: Readonly<Record<string, readonly unknown[]>> = {
  minimum: [Number.MIN_SAFE_INTEGER],
  maximum: [Number.MAX_SAFE_INTEGER],
  format: ['starts_with', 'base64', 'cidrv4', 'cidrv6'],
}

/** Replies are open, because a field that is added may not break a strict client; requests stay closed. */
const tidy = (schema: Record<string, unknown>, io: Direction): void => {
  for (const [key, values] of Object.entries(MEANINGLESS))
    if (values.includes(schema[key])) Reflect.deleteProperty(schema, key)
  if (io === 'output' && schema['additionalProperties'] === false)
    Reflect.deleteProperty(schema, 'additionalProperties')
}

const SCALARS: readonly unknown[] = ['string', 'integer', 'number', 'boolean']

/** A scalar or null as one schema of two types: written as two schemas each of 80 such fields would be 20 bytes longer. */
const withNull = (schema: JsonSchema): JsonSchema => {
  const { anyOf, ...rest } = schema as JsonSchema & Readonly<{ anyOf?: readonly JsonSchema[] }>
  const [value = {}, nothing, ...more] = anyOf ?? []
  const isNullable = nothing?.['type'] === 'null' && more.length === 0
  const isScalar = SCALARS.includes(value['type']) && !('enum' in value) && !('const' in value)
  return isNullable && isScalar ? { ...value, type: [value['type'], 'null'], ...rest } : schema
}

/** @param _key where `JSON.parse` has found the value */
const reviveNullable = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'anyOf' in value ? withNull(value) : value

type Converted = JsonSchema & Readonly<{ $defs?: Readonly<Record<string, JsonSchema>> }>

const convert = (schema: z.ZodType, io: Direction): Converted => {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    metadata: COMPONENTS,
    override: ({ jsonSchema }) => {
      tidy(jsonSchema, io)
    },
  })
  const text = JSON.stringify(converted).replaceAll('"#/$defs/', `"#/${io}/`)
  return JSON.parse(text, reviveNullable) as Converted
}

const REFERENCE = /"#\/(input|output)\/(\w+)"/g

const referencesOf = (schema: JsonSchema): string[] =>
  [...JSON.stringify(schema).matchAll(REFERENCE)].map(([, , name = '']) => name)

const withoutDirection = (schema: JsonSchema): string => JSON.stringify(schema).replaceAll(REFERENCE, '"$2"')

type Definitions = ReadonlyMap<string, JsonSchema>

/** Components whose form in requests is not that in replies, or that refer to such a one. */
const differingOf = (input: Definitions, output: Definitions): ReadonlySet<string> => {
  const shared = [...input].flatMap(([name, sent]) => {
    const answered = output.get(name)
    return answered === undefined ? [] : [{ name, sent, answered }]
  })
  const differing = new Set(
    shared
      .filter(({ sent, answered }) => withoutDirection(sent) !== withoutDirection(answered))
      .map(({ name }) => name),
  )
  for (let size = -1; size !== differing.size;) {
    size = differing.size
    for (const { name, sent } of shared)
      if (referencesOf(sent).some((reference) => differing.has(reference))) differing.add(name)
  }
  return differing
}

/** Converts the schemas of one document, and collects the named ones among them as its components. */
export const createSchemas = () => {
  const definitions = { input: new Map<string, JsonSchema>(), output: new Map<string, JsonSchema>() }
  const take = (schema: z.ZodType, io: Direction): JsonSchema => {
    const { $schema: _dialect, $defs = {}, ...rest } = convert(schema, io)
    for (const [name, definition] of Object.entries($defs)) definitions[io].set(name, definition)
    return rest
  }
  const finish = <D extends object>(document: D): D => {
    const differing = differingOf(definitions.input, definitions.output)
    const inputName = (name: string) => (differing.has(name) ? `${name}Input` : name)
    const schemas = Object.fromEntries(
      [
        ...[...definitions.output],
        ...[...definitions.input].map(([name, schema]) => [inputName(name), schema] as const),
      ].sort(([a], [b]) => a.localeCompare(b, 'en')),
    )
    const { components = {} } = document as { components?: { schemas?: object } }
    const whole = {
      ...document,
      components: { ...components, schemas: { ...schemas, ...components.schemas } },
    }
    const text = JSON.stringify(whole).replaceAll(
      REFERENCE,
      (_, io: Direction, name: string) => `"#/components/schemas/${io === 'input' ? inputName(name) : name}"`,
    )
    return JSON.parse(text) as D
  }
  return {
    /** The schema of what a caller sends. */
    request: (schema: z.ZodType) => take(schema, 'input'),
    /** The same as a component with this name, unless the schema is already a named component. */
    namedRequest: (name: string, schema: z.ZodType): JsonSchema => {
      const taken = take(schema, 'input')
      if ('$ref' in taken) return taken
      definitions.input.set(name, taken)
      return { $ref: `#/input/${name}` }
    },
    /** The schema of what a caller receives. */
    reply: (schema: z.ZodType) => take(schema, 'output'),
    /** The document with its components, and references to them. */
    finish,
  }
}

export type Schemas = ReturnType<typeof createSchemas>

/** A member of an object schema. */
export type Property = Readonly<{ name: string; required: boolean; schema: JsonSchema }>

/** The members of an object schema. */
export const propertiesOf = (schema: JsonSchema): Property[] => {
  const required = (schema['required'] as readonly string[] | undefined) ?? []
  return Object.entries((schema['properties'] as Record<string, JsonSchema> | undefined) ?? {}).map(
    ([name, inner]) => ({ name, required: required.includes(name), schema: inner }),
  )
}
