import type { ApiDocument, ApiOperation } from './document.ts'
import { fieldsOf, notesText, typeText, type Field } from './schema-text.ts'

/** One operation in the reference. */
export type ReferenceOperation = Readonly<{
  operationId: string
  method: string
  path: string
  summary: string
  access: string
}>

/** Operations that belong together. */
export type Chapter = Readonly<{
  name: string
  description: string
  operations: readonly ReferenceOperation[]
}>

/** A named type: an object with its fields, or another schema with its text. */
export type NamedType = Readonly<{ name: string; type: string; notes: string; fields: readonly Field[] }>

const accessOf = ({ security }: ApiOperation): string => {
  const [first] = security
  if (first === undefined) return 'no credential'
  if ('operatorKey' in first) return `staff key with the role \`${first['operatorKey'].join(' or ')}\``
  if ('merchantKey' in first) return 'merchant API key'
  if ('clientBasic' in first) return 'client id and secret'
  return `access token with ${(first['partnerToken'] ?? []).map((scope) => `\`${scope}\``).join(' and ')}`
}

const operationOf = (
  path: string,
  [method, operation]: readonly [string, ApiOperation],
): ReferenceOperation => ({
  operationId: operation.operationId,
  method: method.toUpperCase(),
  path,
  summary: operation.summary,
  access: accessOf(operation),
})

/** A document's operations by tag, in its order. @throws when a tag is not declared */
export const chaptersOf = (document: ApiDocument): Chapter[] => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map((each) => ({
      tag: each[1].tags[0],
      operation: operationOf(path, each),
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

/** Returns the named types of a document, by name. */
export const typesOf = ({ components }: ApiDocument): NamedType[] =>
  Object.entries(components.schemas ?? {})
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, schema]) => ({
      name,
      type: typeText(schema),
      notes: notesText(schema),
      fields: fieldsOf(schema),
    }))
