import type { z } from 'zod'
import type { PublicPath } from '../http/public-path.ts'
import type { ApiOperation } from './document.ts'
import { inputSchema, outputSchema, pathParameters, type JsonSchema } from './json-schema.ts'
import { errorResponses, RESPONSE_HEADERS, successSchema } from './responses.ts'

const responseOf = (description: string, content: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  description,
  headers: RESPONSE_HEADERS,
  content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
})

const schemasOf = (content: Readonly<Record<string, z.ZodType>>, toSchema: (type: z.ZodType) => JsonSchema) =>
  Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, toSchema(schema)]))

const bodyOf = (body: Readonly<Record<string, z.ZodType>>) => ({
  required: true,
  content: Object.fromEntries(
    Object.entries(schemasOf(body, inputSchema)).map(([type, schema]) => [type, { schema }]),
  ),
})

/** The declaration of a public path as an operation of the document. */
export const describePublic = ({ description: path }: PublicPath): ApiOperation => ({
  operationId: path.operationId,
  summary: path.summary,
  ...(path.description === undefined ? {} : { description: path.description }),
  tags: [path.tag],
  security: path.clientBasic ? [{ clientBasic: [] }, {}] : [],
  ...(path.params === undefined ? {} : { parameters: pathParameters(path.params) }),
  ...(path.body === undefined ? {} : { requestBody: bodyOf(path.body) }),
  responses: {
    ...(path.data && { '200': responseOf('Success', { 'application/json': successSchema(path.data) }) }),
    ...Object.fromEntries(
      Object.entries(path.answers).map(([status, { description, content }]) => [
        status,
        responseOf(description, schemasOf(content, outputSchema)),
      ]),
    ),
    ...errorResponses(path.refusals),
  },
})
