import type { z } from 'zod'
import type { PublicPath } from '../http/public-path.ts'
import type { ApiOperation, MediaType, Response } from './document.ts'
import type { JsonSchema, Schemas } from './json-schema.ts'
import { pathParameters } from './parameters.ts'
import { errorResponses, RESPONSE_HEADERS, successSchema } from './responses.ts'

const contentOf = (
  content: Readonly<Record<string, z.ZodType>>,
  toSchema: (type: z.ZodType) => JsonSchema,
): Readonly<Record<string, MediaType>> =>
  Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema: toSchema(schema) }]))

const responseOf = (
  { status, description }: Readonly<{ status: number; description: string }>,
  content: Response['content'],
): Response => ({
  description,
  headers: {
    ...RESPONSE_HEADERS,
    ...(status === 429 || status === 503
      ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
      : {}),
  },
  content: content ?? {},
})

/** The declaration of a public path as an operation of the document. */
export const describePublic = (schemas: Schemas, { description: path }: PublicPath): ApiOperation => ({
  operationId: path.operationId,
  summary: path.summary,
  description: path.description,
  tags: [path.tag],
  security: path.clientBasic ? [{ clientBasic: [] }, {}] : [],
  ...(path.params === undefined ? {} : { parameters: pathParameters(schemas, path.params) }),
  ...(path.body === undefined
    ? {}
    : { requestBody: { required: true, content: contentOf(path.body, schemas.request) } }),
  responses: {
    ...(path.data && {
      '200': responseOf(
        { status: 200, description: 'Success' },
        { 'application/json': { schema: successSchema(schemas, path.data) } },
      ),
    }),
    ...Object.fromEntries(
      Object.entries(path.answers).map(([status, { description, content }]) => [
        status,
        responseOf({ status: Number(status), description }, contentOf(content, schemas.reply)),
      ]),
    ),
    ...errorResponses(path.refusals),
  },
})
