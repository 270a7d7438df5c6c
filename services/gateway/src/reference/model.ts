import type { ApiDocument, ApiOperation, Parameter, Response } from './document.ts'
import { withoutReferences } from './inlined.ts'
import { propertiesOf, type JsonSchema } from './json-schema.ts'

/** One field of a body or one parameter, ready to be a row of a table. */
export type Field = Readonly<{ name: string; type: string; required: boolean; notes: string }>

/** One answer of an operation. */
export type Answer = Readonly<{ status: string; description: string }>

/** One operation in the reference. */
export type ReferenceOperation = Readonly<{
  method: string
  path: string
  summary: string
  description: string
  access: string
  parameters: readonly Field[]
  request: readonly Field[]
  response: readonly Field[]
  answers: readonly Answer[]
}>

/** Operations that belong together. */
export type Chapter = Readonly<{
  name: string
  description: string
  operations: readonly ReferenceOperation[]
}>

const MAX_DEPTH = 4

const variantsOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly JsonSchema[]

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const typeOf = (schema: JsonSchema): string => {
  const variants = variantsOf(schema)
  if (variants.length > 0) return variants.map(typeOf).join(' or ')
  if (schema['const'] !== undefined) return `\`${textOf(schema['const'])}\``
  const values = schema['enum'] as readonly string[] | undefined
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ')
  const { type } = schema
  if (type === 'array') return `array of ${typeOf((schema['items'] ?? {}) as JsonSchema)}`
  if (Array.isArray(type)) return type.join(' or ')
  return typeof type === 'string' ? type : 'any'
}

const BOUNDS = {
  minLength: 'at least',
  maxLength: 'at most',
  minimum: 'from',
  maximum: 'to',
  maxItems: 'at most',
} as const
const UNITS: Readonly<Record<string, string>> = {
  minLength: ' characters',
  maxLength: ' characters',
  maxItems: ' items',
}

const notesOf = (schema: JsonSchema): string => {
  const description = typeof schema['description'] === 'string' ? [schema['description']] : []
  const bounds = Object.entries(BOUNDS).flatMap(([key, word]) =>
    typeof schema[key] === 'number' && Math.abs(schema[key]) < Number.MAX_SAFE_INTEGER
      ? [`${word} ${schema[key]}${UNITS[key] ?? ''}`]
      : [],
  )
  return [...description, ...bounds].join('; ')
}

/** The object inside a schema that holds one: itself, the items of an array, or the variant that is not null. */
const innerObject = (schema: JsonSchema): JsonSchema | null => {
  if (schema['type'] === 'object') return schema
  if (schema['type'] === 'array') return innerObject((schema['items'] ?? {}) as JsonSchema)
  return variantsOf(schema).map(innerObject).find(Boolean) ?? null
}

const fieldsOf = (schema: JsonSchema, prefix = '', depth = 0): Field[] => {
  const object = innerObject(schema)
  if (object === null || depth > MAX_DEPTH) return []
  return propertiesOf(object).flatMap(({ name, required, schema: inner }) => [
    { name: `${prefix}${name}`, type: typeOf(inner), required, notes: notesOf(inner) },
    ...fieldsOf(inner, `${prefix}${name}${inner['type'] === 'array' ? '[]' : ''}.`, depth + 1),
  ])
}

const schemaOf = (holder: unknown): JsonSchema => {
  const content = (holder as { content?: Record<string, { schema?: JsonSchema }> } | undefined)?.content
  return Object.values(content ?? {})[0]?.schema ?? {}
}

/** Fields of a success without the envelope, which is the same for every operation. */
const responseFields = (operation: ApiOperation): Field[] => {
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
  const fields = fieldsOf(schemaOf(success))
  const data = fields.filter((field) => field.name.startsWith('data.'))
  return data.length > 0
    ? data.map((field) => ({ ...field, name: field.name.slice('data.'.length) }))
    : fields
}

const accessOf = (operation: ApiOperation): string => {
  const [first] = operation.security
  if (first === undefined) return 'no credential'
  if ('operatorKey' in first) return `staff key with the role \`${first['operatorKey'].join(' or ')}\``
  if ('merchantKey' in first) return 'merchant API key'
  if ('clientBasic' in first) return 'client id and secret'
  return `access token with ${(first['partnerToken'] ?? []).map((scope) => `\`${scope}\``).join(' and ')}`
}

const parameterFields = (operation: ApiOperation): Field[] =>
  ((operation.parameters ?? []) as readonly Parameter[]).map(
    ({ name, in: place, schema, required = false, description }) => ({
      name: `${name} (${place})`,
      type: typeOf(schema),
      required,
      notes: description ?? notesOf(schema),
    }),
  )

const modelOperation = (path: string, method: string, operation: ApiOperation): ReferenceOperation => ({
  method: method.toUpperCase(),
  path,
  summary: operation.summary,
  description: operation.description,
  access: accessOf(operation),
  parameters: parameterFields(operation),
  request: fieldsOf(schemaOf(operation.requestBody)),
  response: responseFields(operation),
  answers: Object.entries(operation.responses).map(([status, response]) => ({
    status,
    description: (response as Response).description,
  })),
})

/** Groups a document's operations into chapters by tag, in the order of the document. */
export const referenceModelOf = (document: ApiDocument): Chapter[] => {
  const { paths } = withoutReferences(document)
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      operation: modelOperation(path, method, operation),
    })),
  )
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: all.filter(({ tag }) => tag === name).map(({ operation }) => operation),
  }))
}
