import {
  API_VERSION,
  DocumentUpload,
  MAX_DOCUMENT_BYTES,
  SCOPES,
  UploadedDocumentType,
} from '@causeway/contracts'
import { operationRoutes, publicPaths } from '../routes/table.ts'
import type { OperationRoute } from '../http/route.ts'
import type { ApiDocument, ApiOperation } from './document.ts'
import { codesOf, errorResponses, RESPONSE_HEADERS, SHARED_ERRORS, successSchema } from './responses.ts'
import { inputSchema, pathParameters, queryParameters, type JsonSchema } from './json-schema.ts'
import { describePublic } from './public-operation.ts'

const TAGS = [
  { name: 'tokens', description: 'Access tokens, the keys that sign them, and their metadata.' },
  { name: 'onboarding', description: 'Customers of a partner and what they may use.' },
  { name: 'payments', description: 'Crypto payment orders.' },
  {
    name: 'webhooks',
    description: 'What partners read of their webhook destinations, and how merchants keep theirs.',
  },
  { name: 'onramp', description: 'Buying the crypto that an order asks for, through a provider.' },
  { name: 'operator', description: 'What staff do. Every call is written to the audit log.' },
  { name: 'public', description: 'What needs no credential.' },
]

/** Credentials by the kind of caller of an operation. */
const SECURITY: Readonly<Record<string, (route: OperationRoute) => ApiOperation['security'][number]>> = {
  partner: (route) => ({ partnerToken: route.scopes }),
  merchant: () => ({ merchantKey: [] }),
  operator: (route) => ({ operatorKey: route.role === null ? [] : [route.role] }),
}

const isOperators = (route: OperationRoute) => route.operation.caller === 'operator'

/** @throws when an operation that has a route is internal */
const securityOf = (route: OperationRoute): ApiOperation['security'] => {
  const security = SECURITY[route.operation.caller]
  if (security === undefined) throw new Error(`${route.operation.subject} has a route but no caller outside`)
  return [security(route)]
}

/** `/customers/:customerId` → `/customers/{customerId}`. */
const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

const versionParameter = { $ref: '#/components/parameters/ApiVersion' }
const keyParameter = { $ref: '#/components/parameters/IdempotencyKey' }

/** A file in a form, or in JSON. */
const uploadBody = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['document_type', 'file'],
        properties: {
          document_type: inputSchema(UploadedDocumentType),
          file: {
            type: 'string',
            format: 'binary',
            description: `PDF, PNG or JPEG by its content, at most ${MAX_DOCUMENT_BYTES} bytes; as JSON: file_name and content_base64 instead`,
          },
        },
      },
    },
    'application/json': { schema: inputSchema(DocumentUpload) },
  },
}

/** A periodic file of disputes (decisions §10). */
const csvBody = { required: true, content: { 'text/csv': { schema: { type: 'string' } } } }

const bodyOf = ({ operation, upload, csv }: OperationRoute) => {
  if (upload) return uploadBody
  if (csv) return csvBody
  const schema = inputSchema(operation.body)
  return {
    required: !operation.body.safeParse(undefined).success,
    content: { 'application/json': { schema } },
  }
}

const DESCRIPTIONS: Readonly<Record<string, string>> = { created: 'Created', existing: 'It exists already' }

const NO_CONTENT = 204

const successContent = (route: OperationRoute, status: number): JsonSchema =>
  status === NO_CONTENT
    ? {}
    : { content: { 'application/json': { schema: successSchema(route.operation.reply) } } }

const successResponses = (route: OperationRoute): Record<string, JsonSchema> => {
  const statuses =
    typeof route.status === 'number' ? [['Success', route.status] as const] : Object.entries(route.status)
  return Object.fromEntries(
    statuses.map(([variant, status]) => [
      String(status),
      {
        description: DESCRIPTIONS[variant] ?? 'Success',
        headers: RESPONSE_HEADERS,
        ...successContent(route, status),
      },
    ]),
  )
}

const tagOf = (route: OperationRoute): string =>
  isOperators(route) ? 'operator' : (route.operation.subject.split('.')[0] ?? '')

const describe = (route: OperationRoute, takesBody: boolean): ApiOperation => ({
  operationId: `${route.operation.caller}.${route.operation.subject}`,
  summary: route.operation.summary,
  tags: [tagOf(route)],
  security: securityOf(route),
  parameters: [
    ...pathParameters(route.operation.params),
    ...queryParameters(route.operation.query),
    versionParameter,
    ...(route.operation.idempotent ? [keyParameter] : []),
  ],
  ...(takesBody ? { requestBody: bodyOf(route) } : {}),
  responses: { ...successResponses(route), ...errorResponses(codesOf(route, takesBody), route.messages) },
})

const pathsOf = (routes: readonly OperationRoute[]) => {
  const paths: Record<string, Record<string, ApiOperation>> = {}
  for (const path of publicPaths)
    paths[templateOf(path.path)] = { [path.method.toLowerCase()]: describePublic(path) }
  for (const route of routes) {
    const takesBody = route.operation.body.type !== 'undefined'
    const template = templateOf(route.path)
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: describe(route, takesBody) }
  }
  return paths
}

const scopesText = Object.fromEntries(SCOPES.map((scope) => [scope, `Operations that need ${scope}`]))

const IdempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Names this one effect: a repetition with the same key and body is answered with the first answer.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
}

const componentsOf = (baseUrl: string, routes: readonly OperationRoute[]) => ({
  securitySchemes: {
    partnerToken: {
      type: 'oauth2',
      description: 'Access token of the client credentials grant, sent as a bearer token.',
      flows: { clientCredentials: { tokenUrl: `${baseUrl}/api/oauth/token`, scopes: scopesText } },
    },
    merchantKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A key of the merchant.' },
    operatorKey: {
      type: 'http',
      scheme: 'bearer',
      description:
        'A staff key of the role that an operation names, or of the role admin; viewer: of any role. The key of the setting OPERATOR_API_KEY is an admin.',
    },
    clientBasic: { type: 'http', scheme: 'basic', description: 'Client id and secret.' },
  },
  parameters: {
    ApiVersion: {
      name: 'api-version',
      in: 'header',
      required: false,
      description: 'Version that the caller expects; any other than this one is refused.',
      schema: { type: 'string', const: API_VERSION },
    },
    ...(routes.some((route) => route.operation.idempotent) ? { IdempotencyKey } : {}),
  },
  ...SHARED_ERRORS,
})

/** Generates the OpenAPI 3.1 document from the route table and the contracts. */
export const describeApi = (baseUrl: string): ApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: 'Causeway',
    version: API_VERSION,
    summary: 'Partner payments and merchant onboarding',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: baseUrl }],
  tags: TAGS,
  paths: pathsOf(operationRoutes),
  components: componentsOf(baseUrl, operationRoutes),
})
