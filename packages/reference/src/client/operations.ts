import { PREFIXES } from '@causeway/contracts'

/** The operations of the API's document, as the client needs them at run time. */
type Schema = { $ref?: string; type?: string; properties?: Record<string, Schema>; allOf?: Schema[] }
type Parameter = { in: string; name: string; required?: boolean; description?: string; schema: Schema }
type Content = Record<string, { schema: Schema }>
type Answer = { $ref?: string; content?: Content }
export type Described = {
  operationId: string
  summary: string
  description: string
  security?: Record<string, string[]>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Content }
  responses: Record<string, Answer>
}
export type Document = {
  webhooks?: unknown
  paths: Record<string, Record<string, Described>>
  components: {
    schemas: Record<string, Schema>
    parameters?: Record<string, Parameter>
    responses?: Record<string, Answer>
  }
}
export type Audience = 'partnerToken' | 'merchantKey' | 'operatorKey'

/**
 * Operations whose repetition has the effect of one call, though they take no `Idempotency-Key` (decisions §3, §5,
 * §9, §13): a call whose answer was lost is sent again.
 */
const REPEATABLE = new Set(['createCustomer', 'createCryptoOrder', 'acceptAgreement', 'createOnrampOrder'])

/** A row of the client's table: method, path, and what else a call has to know. */
type Row = readonly [
  method: string,
  path: string,
  facts?: { keyed?: true; repeatable?: true; upload?: true; cursor?: string; items?: string },
]

const resolved = ({ components }: Document, schema: Schema): Schema => {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : resolved({ components, paths: {} }, components.schemas[name] ?? {})
}

/** The parameters of an operation, those included that it shares with others. */
export const parametersOf = ({ components }: Document, { parameters = [] }: Described): Parameter[] =>
  parameters.flatMap((parameter) => {
    if ('name' in parameter) return [parameter]
    const shared = components.parameters?.[parameter.$ref.split('/').at(-1) ?? '']
    return shared === undefined ? [] : [shared]
  })

/** A response, also where several operations share it. */
const answerOf = ({ components }: Document, { $ref, ...own }: Answer): Answer =>
  $ref === undefined ? own : (components.responses?.[$ref.split('/').at(-1) ?? ''] ?? {})

/** The name of the list in a reply that has a cursor; undefined for one object with pages, as a statement. */
const itemsOf = (document: Document, { responses }: Described): string | undefined => {
  const { content } = answerOf(document, responses['200'] ?? {})
  const { allOf = [] } = content?.['application/json']?.schema ?? {}
  const data = allOf.map((part) => part.properties?.['data']).find(Boolean) ?? {}
  const { properties = {} } = resolved(document, data)
  return Object.keys(properties).find((field) => resolved(document, properties[field] ?? {}).type === 'array')
}

/** Names of the parameter that begins a page after another one. */
const CURSORS: ReadonlySet<string> = new Set(['cursor', 'before', 'after'])

const rowOf = (document: Document, path: string, method: string, described: Described): Row => {
  const names = parametersOf(document, described).map(({ name }) => name)
  const cursor = names.find((name) => CURSORS.has(name))
  const items = cursor === undefined ? undefined : itemsOf(document, described)
  const facts = {
    ...(names.includes('Idempotency-Key') && { keyed: true as const }),
    ...(REPEATABLE.has(described.operationId) && { repeatable: true as const }),
    ...(described.requestBody?.content['multipart/form-data'] !== undefined && { upload: true as const }),
    ...(items !== undefined && { items }),
    ...(cursor !== undefined && cursor !== 'cursor' && { cursor }),
  }
  const row = [method.toUpperCase(), path] as const
  return Object.keys(facts).length === 0 ? row : [...row, facts]
}

export const isOf = (audience: Audience, { security }: Described): boolean =>
  security?.some((scheme) => audience in scheme) === true

/** Prefixes that the client adds to the paths of its table, which is a twentieth shorter without them. */
const ADDED_PREFIXES = {
  partnerToken: PREFIXES.partner,
  merchantKey: PREFIXES.merchant,
  operatorKey: '',
} as const

/** @throws for a path of another beginning */
const withoutPrefix = (path: string, prefix: string): string => {
  if (!path.startsWith(`${prefix}/`)) throw new Error(`${path} does not begin with ${prefix}`)
  return path.slice(prefix.length)
}

/** The table of one audience, as a literal. */
export const tableOf = (document: Document, audience: Audience): string => {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, described]) => isOf(audience, described))
      .map(([method, described]) => {
        const short = withoutPrefix(path, ADDED_PREFIXES[audience])
        return [described.operationId, rowOf(document, short, method, described)]
      }),
  )
  return JSON.stringify(Object.fromEntries(rows))
}

/** The schemas of a body without its examples, which would be comments of the types. */
const typesIn = ({ content = {} }: { content?: Content }): { content: Content } => ({
  content: Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, { schema }])),
})

/**
 * The document with what the types of the client need: the operations of partners and merchants, and of their answers
 * the successes, because every error is an exception of one shape.
 */
export const forTypes = ({ webhooks: _webhooks, ...document }: Document): Document => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) => {
      const kept = Object.entries(methods)
        .filter(([, described]) => isOf('partnerToken', described) || isOf('merchantKey', described))
        .map(([method, described]) => {
          const successes = Object.entries(described.responses).filter(([status]) => status.startsWith('2'))
          const responses = Object.fromEntries(
            successes.map(([status, given]) => {
              const response = answerOf(document, given)
              return [status, { ...response, headers: {}, ...typesIn(response) }]
            }),
          )
          const parameters = parametersOf(document, described).filter(
            (parameter) => parameter.in === 'path' || parameter.in === 'query',
          )
          const { requestBody } = described
          const body = requestBody && { requestBody: { ...requestBody, ...typesIn(requestBody) } }
          return [method, { ...described, parameters, ...body, responses }]
        })
      return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)]]
    }),
  ),
})
