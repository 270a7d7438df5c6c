import type { ErrorCode } from '@causeway/contracts'
import type { ApiDocument, ApiOperation, MediaType, Parameter, Response } from './document.ts'
import type { JsonSchema } from './json-schema.ts'
import { fieldsOf, notesText, typeText, type Field } from './schema-text.ts'

/** A body in one media type: the name of its type, its own fields, or both. */
export type Body = Readonly<{ mediaType: string; type: string; fields: readonly Field[] }>

/** One answer of an operation. */
export type Answer = Readonly<{
  status: string
  description: string
  codes: readonly ErrorCode[]
  headers: readonly string[]
  bodies: readonly Body[]
}>

/** One operation in the reference. */
export type ReferenceOperation = Readonly<{
  operationId: string
  method: string
  path: string
  summary: string
  description: string
  access: string
  parameters: readonly Field[]
  requests: readonly Body[]
  answers: readonly Answer[]
}>

/** Operations that belong together. */
export type Chapter = Readonly<{
  name: string
  description: string
  operations: readonly ReferenceOperation[]
}>

/** A named type: an object with its fields, or another schema with its text. */
export type NamedType = Readonly<{ name: string; type: string; notes: string; fields: readonly Field[] }>

/** What a shared part of a document is called by those who refer to it. */
const shared = <T>(document: ApiDocument, part: T | Readonly<{ $ref: string }>): T => {
  if (typeof part !== 'object' || part === null || !('$ref' in part)) return part
  const [, , kind = '', name = ''] = part.$ref.split('/')
  const members = document.components as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  return members[kind]?.[name] as T
}

/** `data` of a success in its envelope; any other body as it is. */
const withoutEnvelope = (schema: JsonSchema): JsonSchema => {
  const [, part] = (schema['allOf'] ?? []) as readonly JsonSchema[]
  const { data } = (part?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  return data ?? schema
}

const bodiesOf = (content: Readonly<Record<string, MediaType>> = {}): Body[] =>
  Object.entries(content).map(([mediaType, { schema }]) => {
    const own = withoutEnvelope(schema)
    return { mediaType, type: typeText(own), fields: fieldsOf(own) }
  })

/** An answer of an error lists codes; that of the token endpoint has another body, which is described. */
const answerOf = (document: ApiDocument, status: string, response: Response): Answer => {
  const { description, headers = {}, content } = response
  const examples = content?.['application/json']?.examples
  return {
    status,
    description,
    codes: Object.keys(examples ?? {}) as ErrorCode[],
    headers: Object.entries(headers).map(([name, header]) => {
      const { description: text } = shared<JsonSchema>(document, header)
      return `\`${name}\`: ${String(text)}`
    }),
    bodies: examples === undefined ? bodiesOf(content) : [],
  }
}

const accessOf = ({ security }: ApiOperation): string => {
  const [first] = security
  if (first === undefined) return 'no credential'
  if ('operatorKey' in first) return `staff key with the role \`${first['operatorKey'].join(' or ')}\``
  if ('merchantKey' in first) return 'merchant API key'
  if ('clientBasic' in first) return 'client id and secret'
  return `access token with ${(first['partnerToken'] ?? []).map((scope) => `\`${scope}\``).join(' and ')}`
}

const parameterFields = (document: ApiDocument, { parameters = [] }: ApiOperation): Field[] =>
  parameters.map((parameter) => {
    const { name, in: place, schema, required = false, description } = shared<Parameter>(document, parameter)
    const { description: _own, ...bounds } = schema
    const notes = [description ?? schema['description'], notesText(bounds)].filter(Boolean).join('; ')
    return { name: `${name} (${place})`, type: typeText(schema), required, notes }
  })

const operationOf = (
  document: ApiDocument,
  path: string,
  [method, operation]: readonly [string, ApiOperation],
): ReferenceOperation => ({
  operationId: operation.operationId,
  method: method.toUpperCase(),
  path,
  summary: operation.summary,
  description: operation.description,
  access: accessOf(operation),
  parameters: parameterFields(document, operation),
  requests: bodiesOf(operation.requestBody?.content),
  answers: Object.entries(operation.responses).map(([status, response]) =>
    answerOf(document, status, shared<Response>(document, response)),
  ),
})

/** A document's operations by tag, in its order. @throws when a tag is not declared */
export const chaptersOf = (document: ApiDocument): Chapter[] => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map((each) => ({
      tag: each[1].tags[0],
      operation: operationOf(document, path, each),
    })),
  )
  const undeclared = operations.find(({ tag }) => document.tags.every(({ name }) => name !== tag))
  if (undeclared !== undefined) throw new Error(`The tag ${undeclared.tag} is not declared`)
  return document.tags
    .map(({ name, description }) => ({
      name,
      description,
      operations: operations.filter(({ tag }) => tag === name).map(({ operation }) => operation),
    }))
    .filter((chapter) => chapter.operations.length > 0)
}

/** The named types of documents, each once. */
export const typesOf = (documents: readonly ApiDocument[]): NamedType[] => {
  const schemas = new Map(documents.flatMap(({ components }) => Object.entries(components.schemas ?? {})))
  return [...schemas]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, schema]) => ({
      name,
      type: typeText(schema),
      notes: notesText(schema),
      fields: fieldsOf(schema),
    }))
}
