import { API_VERSION, SCOPES } from '@causeway/contracts'
import {
  OPERATOR_CHAPTERS,
  operationRoutes,
  PUBLIC_CHAPTERS,
  publicPaths,
  type OperationRoute,
} from '@causeway/contracts/http'
import type { ApiDocument, ApiOperation } from './document.ts'
import { readExamples, type Examples } from './examples.ts'
import { createSchemas, type Schemas } from './json-schema.ts'
import { heldResponse } from './held-response.ts'
import { describeOperation } from './operation.ts'
import { SHARED_PARAMETERS } from './parameters.ts'
import { describePublic } from './public-operation.ts'
import { sharedResponses } from './responses.ts'
import { withSharedParameters } from './shared-parameters.ts'
import { withSharedResponses } from './shared-responses.ts'
import { DELIVERY_HEADERS, DELIVERY_RESPONSES, describeWebhooks } from './webhooks.ts'

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const REFERENCE = /"#\/components\/\w+\/\w+"/g

/** Credentials are named by operations, not referred to. */
const NAMED_ELSEWHERE = 'securitySchemes'

const sizeOf = (document: ApiDocument): number =>
  Object.values(document.components as Components).reduce(
    (sum, members) => sum + Object.keys(members).length,
    0,
  )

/** The document without components to which nothing refers, those included to which only these did. */
const withoutUnused = (document: ApiDocument): ApiDocument => {
  const used = new Set([...JSON.stringify(document).matchAll(REFERENCE)].map(([reference]) => reference))
  const components = Object.fromEntries(
    Object.entries(document.components as Components).map(([kind, members]) => [
      kind,
      Object.fromEntries(
        Object.entries(members).filter(
          ([name]) => kind === NAMED_ELSEWHERE || used.has(`"#/components/${kind}/${name}"`),
        ),
      ),
    ]),
  )
  const rest: ApiDocument = { ...document, components }
  return sizeOf(rest) === sizeOf(document) ? rest : withoutUnused(rest)
}

const CONVENTIONS = `Every success is \`{request_id, api_version, data}\`, every error \`{error: {code, message, request_id, details?}}\`. Branch on \`code\`; \`message\` can change. Times are ISO 8601 in UTC with milliseconds. Card amounts are integers in the currency’s minor unit; crypto amounts are decimal strings.

Every response has the headers \`X-Request-Id\`, \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`. Retry a 503 or 429 after \`Retry-After\`. After a 500 the outcome is unknown: repeat the call with its \`Idempotency-Key\` if it has one, otherwise read before you write again.

Responses can get new fields, and lists of events new types: ignore unknown ones. Requests with unknown fields are refused.`

const isOperators = (route: OperationRoute) => route.operation.caller === 'operator'

/** `/customers/:customerId` → `/customers/{customerId}`. */
const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

type Described = Readonly<{ method: string; path: string; operation: ApiOperation }>

const pathsOf = (described: readonly Described[]): ApiDocument['paths'] => {
  const paths: Record<string, Record<string, ApiOperation>> = {}
  for (const { method, path, operation } of described)
    paths[templateOf(path)] = { ...paths[templateOf(path)], [method.toLowerCase()]: operation }
  return paths
}

const headOf = (baseUrl: string, title: string, summary: string) => ({
  openapi: '3.1.0' as const,
  info: {
    title,
    version: API_VERSION,
    summary,
    description: CONVENTIONS,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    contact: { name: 'Causeway', url: `${baseUrl}/docs` },
  },
  servers: [{ url: baseUrl }],
})

/** `tags` and `x-tagGroups` of a document. */
const tagsOf = (groups: typeof PUBLIC_CHAPTERS | typeof OPERATOR_CHAPTERS) => ({
  tags: groups.flatMap(({ tags }) => tags.map(({ name, description }) => ({ name, description }))),
  'x-tagGroups': groups.map(({ name, tags }) => ({ name, tags: tags.map((tag) => tag.name) })),
})

const scopesText = Object.fromEntries(SCOPES.map((scope) => [scope, `Operations that need ${scope}`]))

const publicSecurity = (baseUrl: string) => ({
  partnerToken: {
    type: 'oauth2',
    description: 'Access token of the client credentials grant, sent as a bearer token.',
    flows: { clientCredentials: { tokenUrl: `${baseUrl}/api/oauth/token`, scopes: scopesText } },
  },
  merchantKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A key of the merchant.' },
  clientBasic: { type: 'http', scheme: 'basic', description: 'Client id and secret.' },
})

const operatorSecurity = {
  operatorKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A staff key with the role of the operation, or the role admin. viewer: any role. The key in OPERATOR_API_KEY is an admin.',
  },
}

type Parts = Readonly<{ schemas: Schemas; examples: Examples }>

const described = ({ schemas, examples }: Parts, routes: readonly OperationRoute[]) =>
  routes.map((route) => {
    const example = examples.operations[route.operation.operationId]
    return {
      method: route.method,
      path: route.path,
      operation: describeOperation(schemas, route, example),
    }
  })

const describedOpen = ({ schemas, examples }: Parts) =>
  publicPaths.map((path) => ({
    method: path.method,
    path: path.path,
    operation: describePublic(schemas, path, examples.operations[path.description.operationId]),
  }))

const document = (schemas: Schemas, parts: ApiDocument): ApiDocument =>
  withoutUnused(withSharedResponses(withSharedParameters(schemas.finish(parts))))

/** Generates the OpenAPI 3.1 document of what partners, merchants and everybody may call, from the route table and the contracts. */
export const describeApi = (baseUrl: string): ApiDocument => {
  const schemas = createSchemas()
  const parts = { schemas, examples: readExamples(baseUrl) }
  const routes = operationRoutes.filter((route) => !isOperators(route))
  return document(schemas, {
    ...headOf(baseUrl, 'Causeway', 'Partner payments and merchant onboarding'),
    ...tagsOf(PUBLIC_CHAPTERS),
    paths: pathsOf([...described(parts, routes), ...describedOpen(parts)]),
    webhooks: describeWebhooks(schemas, parts.examples),
    components: {
      securitySchemes: publicSecurity(baseUrl),
      parameters: { ...SHARED_PARAMETERS, ...DELIVERY_HEADERS },
      ...sharedResponses(schemas, DELIVERY_RESPONSES),
    },
  })
}

/** The document of what staff may call. */
export const describeOperatorApi = (baseUrl: string): ApiDocument => {
  const schemas = createSchemas()
  const parts = { schemas, examples: readExamples(baseUrl) }
  return document(schemas, {
    ...headOf(baseUrl, 'Causeway operator API', 'Operations of staff. The audit log records every call.'),
    ...tagsOf(OPERATOR_CHAPTERS),
    paths: pathsOf(described(parts, operationRoutes.filter(isOperators))),
    components: {
      securitySchemes: operatorSecurity,
      parameters: SHARED_PARAMETERS,
      ...sharedResponses(schemas, heldResponse(schemas, parts.examples)),
    },
  })
}
