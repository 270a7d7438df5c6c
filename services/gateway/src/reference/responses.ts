import { API_VERSION, ERRORS, FIELD_REASONS, type ErrorCode } from '@causeway/contracts'
import type { z } from 'zod'
import type { OperationRoute } from '../http/route.ts'
import { outputSchema, type JsonSchema } from './json-schema.ts'

/** Codes that the gateway itself may answer for an operation, besides those of its contract. */
const generalCodes = (route: OperationRoute, takesBody: boolean): ErrorCode[] => {
  const { operation, scopes, role } = route
  const hasParameters = operation.params.type !== 'undefined'
  return [
    'invalid_request',
    'unauthorized',
    ...(operation.idempotent ? (['idempotency_key_required', 'idempotency_key_reuse'] as const) : []),
    ...(scopes.length > 0 || (role !== null && role !== 'viewer') ? (['insufficient_scope'] as const) : []),
    ...(hasParameters ? (['resource_not_found'] as const) : []),
    ...(takesBody ? (['payload_too_large', 'unsupported_media_type', operation.badBody] as const) : []),
    'rate_limited',
    'internal_error',
    'temporarily_unavailable',
  ]
}

/** Headers that every response has. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
} as const

/** A success in its envelope (spec: Conventions). */
export const successSchema = (data: z.ZodType): JsonSchema => ({
  type: 'object',
  required: ['request_id', 'api_version', 'data'],
  properties: {
    request_id: { type: 'string' },
    api_version: { type: 'string', const: API_VERSION },
    data: outputSchema(data),
  },
})

type Messages = OperationRoute['messages']

const exampleOf = (code: ErrorCode, messages: Messages) => {
  const message = messages[code] ?? ERRORS[code].message
  return { value: { error: { code, message, request_id: 'req_01k8z3v5x9f8qbm7c2r4t6w8ya' } } }
}

const responseOf = (codes: readonly ErrorCode[], messages: Messages): JsonSchema => ({
  description: codes.join(', '),
  headers: RESPONSE_HEADERS,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code, messages)])),
    },
  },
})

/** Error responses by HTTP status. @param messages the route's own messages, where they differ from the table of errors */
export const errorResponses = (
  codes: readonly ErrorCode[],
  messages: Messages = {},
): Record<string, JsonSchema> => {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, grouped]) => [String(status), responseOf(grouped, messages)]),
  )
}

/** Every code that an operation's route may answer. */
export const codesOf = (route: OperationRoute, takesBody: boolean): ErrorCode[] => [
  ...generalCodes(route, takesBody),
  ...route.operation.refusals,
]

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' } })

/** Headers and schemas to which the responses refer. */
export const SHARED_ERRORS = {
  headers: {
    RequestId: { description: 'The same as request_id in the body', schema: { type: 'string' } },
    RateLimitLimit: integerHeader('Requests that the caller may make at once'),
    RateLimitRemaining: integerHeader('Requests that are left of it'),
    RateLimitReset: integerHeader('Seconds until all of it is there again'),
  },
  schemas: {
    Error: {
      type: 'object',
      required: ['error'],
      properties: {
        error: {
          type: 'object',
          required: ['code', 'message', 'request_id'],
          properties: {
            code: { type: 'string', enum: Object.keys(ERRORS) },
            message: { type: 'string' },
            request_id: { type: 'string' },
            details: {
              type: 'array',
              description: `Each bad field once as field and reason, or what else the caller needs. At most 20; of more the first 19 and {reason: "more", count}. Reasons: ${FIELD_REASONS.join(', ')}`,
              items: { type: 'object', additionalProperties: true },
            },
          },
        },
      },
    },
  },
} as const
