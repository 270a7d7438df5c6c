import type { z } from 'zod'
import type { PublicPath } from '@causeway/contracts/http'
import type { ApiOperation, MediaType, Response } from './document.ts'
import { shown, type OperationExample } from './examples.ts'
import type { JsonSchema, Schemas } from './json-schema.ts'
import { pathParameters } from './parameters.ts'
import { errorResponses, successSchema } from './responses.ts'

const contentOf = (
  content: Readonly<Record<string, z.ZodType>>,
  toSchema: (type: z.ZodType) => JsonSchema,
  example?: unknown,
): Readonly<Record<string, MediaType>> =>
  Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [type, { schema: toSchema(schema), ...shown(example) }]),
  )

const responseOf = (
  { status, description }: Readonly<{ status: number; description: string }>,
  content: Response['content'],
): Response => ({
  description,
  ...(status === 429 || status === 503
    ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
    : {}),
  content: content ?? {},
})

/** The declaration of a public path as an operation of the document. */
export const describePublic = (
  schemas: Schemas,
  { description: path }: PublicPath,
  example: OperationExample | undefined,
): ApiOperation => ({
  operationId: path.operationId,
  summary: path.summary,
  description: path.description,
  tags: [path.tag],
  security: path.clientBasic ? [{ clientBasic: [] }, {}] : [],
  ...(path.params === undefined ? {} : { parameters: pathParameters(schemas, path.params) }),
  ...(path.body === undefined
    ? {}
    : { requestBody: { required: true, content: contentOf(path.body, schemas.request, example?.request) } }),
  responses: {
    ...(path.data && {
      '200': responseOf(
        { status: 200, description: 'OK' },
        {
          'application/json': {
            schema: successSchema(schemas, path.data),
            ...shown(example?.responses['200']),
          },
        },
      ),
    }),
    ...Object.fromEntries(
      Object.entries(path.answers).map(([status, { description, content }]) => [
        status,
        responseOf(
          { status: Number(status), description },
          contentOf(content, schemas.reply, example?.responses[status]),
        ),
      ]),
    ),
    ...errorResponses(path.refusals),
  },
})
