import type { ApiDocument } from './document.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The part of a document that a reference such as `#/components/schemas/Customer` names. @throws if it does not exist */
const resolve = (document: ApiDocument, reference: string): unknown => {
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), document)
  if (found === undefined) throw new Error(`The document has no ${reference}`)
  return found
}

type ObjectSchema = Readonly<{ required?: readonly string[]; properties?: Readonly<Record<string, unknown>> }>

/** One object schema in place of several that all apply, such as an envelope and its data. */
const merged = ({ allOf, ...rest }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  if (!Array.isArray(allOf)) return rest
  const parts = allOf as readonly ObjectSchema[]
  return {
    type: 'object',
    ...rest,
    required: parts.flatMap(({ required = [] }) => required),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as object,
  }
}

/** A document with every reference replaced by what it names; siblings of a reference take precedence. */
export const withoutReferences = (document: ApiDocument): ApiDocument => {
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (!isObject(value)) return value
    const { $ref, ...rest } = value
    const own = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, inline(inner)]))
    if (typeof $ref !== 'string') return merged(own)
    return { ...(inline(resolve(document, $ref)) as object), ...own }
  }
  const { components: _components, ...rest } = document
  return { ...(inline(rest) as typeof rest), components: {} }
}
