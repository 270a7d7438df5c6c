import { z } from 'zod'

/** A JSON Schema 2020-12 object, which is what OpenAPI 3.1 uses. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Types of pagination parameters in the document: their contracts accept any text, and clamp or refuse it later. */
const QUERY_TYPES: Readonly<Record<string, string>> = { limit: 'integer', cursor: 'string', before: 'string' }

const withoutDialect = (schema: JsonSchema): JsonSchema => {
  const { $schema: _dialect, ...rest } = schema
  return rest
}

/** The schema of a request. */
export const inputSchema = (schema: z.ZodType): JsonSchema =>
  withoutDialect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }))

/** The schema of a reply. */
export const outputSchema = (schema: z.ZodType): JsonSchema =>
  withoutDialect(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' }))

type Property = Readonly<{ name: string; required: boolean; schema: JsonSchema }>

/** The members of an object schema. */
export const propertiesOf = (schema: JsonSchema): Property[] => {
  const required = (schema['required'] as readonly string[] | undefined) ?? []
  return Object.entries((schema['properties'] as Record<string, JsonSchema> | undefined) ?? {}).map(
    ([name, inner]) => ({ name, required: required.includes(name), schema: inner }),
  )
}

/** Query parameters as OpenAPI describes them. */
export const queryParameters = (query: z.ZodType) =>
  propertiesOf(inputSchema(query)).map(({ name, schema }) => {
    const { description, ...rest } = schema
    const type = QUERY_TYPES[name]
    return {
      name,
      in: 'query',
      required: false,
      ...(description === undefined ? {} : { description }),
      schema: type === undefined ? rest : { type },
    }
  })

/** Path parameters as OpenAPI describes them. */
export const pathParameters = (params: z.ZodType) =>
  propertiesOf(inputSchema(params)).map(({ name, schema: { description, ...schema } }) => ({
    name,
    in: 'path',
    required: true,
    ...(description === undefined ? {} : { description }),
    schema,
  }))
