/** The tools of the MCP server: what may be read, as the API's document describes it. */
import { isOf, parametersOf, type Audience, type Described, type Document } from './operations.ts'

type JsonSchema = Record<string, unknown>

/** A schema that refers to nothing. A format says in a word what its pattern says in 400 characters. */
const standingAlone = (document: Document, schema: JsonSchema): JsonSchema => {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined
  if (name !== undefined) return standingAlone(document, { ...document.components.schemas[name] })
  const { pattern, ...rest } = schema
  return pattern === undefined || rest['format'] !== undefined ? rest : { ...rest, pattern }
}

/** Parameters of the path and the query as one object. */
const inputOf = (document: Document, described: Described): JsonSchema => {
  const parameters = parametersOf(document, described).filter((one) => one.in !== 'header')
  const properties = parameters.map(({ name, description, schema }) => [
    name,
    { ...standingAlone(document, schema), ...(description !== undefined && { description }) },
  ])
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** A link to a file opens without a credential: an assistant would keep it in its conversation. */
const linksToFile = ({ responses }: Described): boolean =>
  JSON.stringify(responses).includes('"download_url"')

/** Every operation that an audience may read but for links to files, as the literal of a table. */
export const toolsOf = (document: Document, audience: Audience): string => {
  const described = Object.values(document.paths).flatMap(({ get }) =>
    get !== undefined && isOf(audience, get) && !linksToFile(get) ? [get] : [],
  )
  const tools = described.map((operation) => [
    operation.operationId,
    {
      description: `${operation.summary}. ${operation.description}`,
      scopes: operation.security?.flatMap((scheme) => scheme[audience] ?? []),
      inputSchema: inputOf(document, operation),
    },
  ])
  return JSON.stringify(Object.fromEntries(tools))
}
