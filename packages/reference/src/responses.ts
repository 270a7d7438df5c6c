import {
  API_VERSION,
  ERRORS,
  FIELD_REASONS,
  idOf,
  type ErrorCode,
  type ErrorDetail,
} from '@causeway/contracts'
import { z } from 'zod'
import type { OperationRoute } from '@causeway/contracts/http'
import type { ApiDocument, Reference, Response } from './document.ts'
import { shown } from './examples.ts'
import type { JsonSchema, Schemas } from './json-schema.ts'

const REQUEST_ID = 'req_01m801kfq8eness51qpyf2cy99'

/** `details` as the platform answers them, of every code that has some. */
const DETAILS: Readonly<Partial<Record<ErrorCode, readonly ErrorDetail[]>>> = {
  invalid_request: [
    { field: 'email', reason: 'required' },
    {
      field: 'currency',
      reason: 'invalid_value',
      expected: 'the ISO 4217 code of a currency in circulation',
      hint: 'Did you mean EUR?',
    },
    { field: 'company', reason: 'unknown_field' },
  ],
  unauthorized: [{ reason: 'expired' }],
  validation_failed: [{ field: 'ubos.0.ownership_percent', reason: 'too_small', expected: 'at least 25' }],
  invalid_state: [{ from: 'satisfied', to: 'open' }],
  amount_exceeds_remaining: [{ remaining_refundable_cents: 6_250 }],
  amount_exceeds_available: [{ available: 4_200 }],
  refund_full_value_only: [{ remaining_refundable_cents: 10_250 }],
  capability_unavailable: [{ reason: 'verification_required' }],
}

/** An example of an error in its envelope. @param message the route's own text, where it has one */
const errorExample = (code: ErrorCode, message: string = ERRORS[code].message) => {
  const details = DETAILS[code]
  return {
    value: {
      error: { code, message, request_id: REQUEST_ID, ...(details === undefined ? {} : { details }) },
    },
  }
}

const NO_CONTENT = 204

/** Codes that the gateway itself may answer for an operation, besides those of its contract. */
const generalCodes = (route: OperationRoute, takesBody: boolean): ErrorCode[] => {
  const { operation, scopes, role } = route
  const hasParameters = operation.params.type !== 'undefined'
  return [
    'invalid_request',
    'unauthorized',
    ...(operation.idempotent === true ? (['idempotency_key_required'] as const) : []),
    ...(operation.idempotent === false ? [] : (['idempotency_key_reuse'] as const)),
    ...(scopes.length > 0 || (role !== null && role !== 'viewer') ? (['insufficient_scope'] as const) : []),
    ...(hasParameters ? (['resource_not_found'] as const) : []),
    ...(takesBody ? (['payload_too_large', 'unsupported_media_type', operation.badBody] as const) : []),
    'rate_limited',
    'internal_error',
    'temporarily_unavailable',
  ]
}

/** Every code that an operation's route may answer. */
export const codesOf = (route: OperationRoute, takesBody: boolean): ErrorCode[] => [
  ...generalCodes(route, takesBody),
  ...route.operation.refusals,
]

const header = (name: string): Reference => ({ $ref: `#/components/headers/${name}` })

/** On every response, as the document says at its top; declared on the errors of any operation alone. */
const COMMON_HEADERS: Readonly<Record<string, Reference>> = { 'X-Request-Id': header('RequestId') }

/**
 * Headers of responses with one status. The rate limit's are on every response, as the document says at its top, and
 * declared where they matter: on every response they would be 19 kB.
 */
const HEADERS_BY_STATUS: Readonly<Record<number, Readonly<Record<string, Reference>>>> = {
  401: { 'WWW-Authenticate': header('WwwAuthenticate') },
  403: { 'WWW-Authenticate': header('WwwAuthenticate') },
  429: {
    'RateLimit-Limit': header('RateLimitLimit'),
    'RateLimit-Remaining': header('RateLimitRemaining'),
    'RateLimit-Reset': header('RateLimitReset'),
    'Retry-After': header('RetryAfter'),
  },
  503: { 'Retry-After': header('RetryAfter') },
}

const RequestId = idOf('request')
const ApiVersion = z.literal(API_VERSION)

/** A success in its envelope (spec: Conventions). */
export const successSchema = (schemas: Schemas, data: z.ZodType): JsonSchema => ({
  allOf: [
    { $ref: '#/components/schemas/Success' },
    { required: ['data'], properties: { data: schemas.reply(data) } },
  ],
})

/** The fields of every success in addition to `data`. */
const successEnvelope = (schemas: Schemas): JsonSchema => ({
  type: 'object',
  required: ['request_id', 'api_version'],
  properties: { request_id: schemas.reply(RequestId), api_version: schemas.reply(ApiVersion) },
})

type Messages = OperationRoute['messages']

const errorResponse = (status: number, codes: readonly ErrorCode[], messages: Messages = {}): Response => ({
  description:
    codes.length === 1
      ? codes.map((code) => messages[code] ?? ERRORS[code].message).join()
      : codes.join(', '),
  ...(HEADERS_BY_STATUS[status] && { headers: HEADERS_BY_STATUS[status] }),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(
        codes.map((code) => [
          code,
          messages[code] === undefined
            ? { $ref: `#/components/examples/${code}` }
            : errorExample(code, messages[code]),
        ]),
      ),
    },
  },
})

/** Responses of several operations, which are written once, by their codes. */
const SHARED_RESPONSES: readonly Readonly<{ name: string; codes: readonly ErrorCode[] }>[] = [
  { name: 'InvalidRequest', codes: ['invalid_request'] },
  { name: 'InvalidRequestOrKey', codes: ['invalid_request', 'idempotency_key_required'] },
  { name: 'InvalidRequestOrCursor', codes: ['invalid_request', 'invalid_cursor'] },
  { name: 'Unauthorized', codes: ['unauthorized'] },
  { name: 'Forbidden', codes: ['insufficient_scope'] },
  { name: 'ForbiddenOrNotEnabled', codes: ['insufficient_scope', 'capability_not_enabled'] },
  { name: 'NotFound', codes: ['resource_not_found'] },
  { name: 'InvalidState', codes: ['invalid_state'] },
  { name: 'LimitReached', codes: ['limit_reached'] },
  { name: 'TooLarge', codes: ['payload_too_large'] },
  { name: 'WrongMediaType', codes: ['unsupported_media_type'] },
  { name: 'ValidationFailed', codes: ['validation_failed'] },
  { name: 'RateLimited', codes: ['rate_limited'] },
  { name: 'InternalError', codes: ['internal_error'] },
  { name: 'ProviderError', codes: ['provider_error'] },
  { name: 'Unavailable', codes: ['temporarily_unavailable'] },
]

/** Codes that every operation may answer, alone with their status. */
const ANY_OPERATION = ['unauthorized', 'rate_limited', 'internal_error', 'temporarily_unavailable'] as const

/**
 * Codes that follow from an operation's form: it takes input, needs a scope or role, has an id in its path, has a body.
 * With those of any operation they are its `default` response: named on each operation they would be 20 kB more, and
 * most of what a further operation adds.
 */
const BY_FORM = [
  'invalid_request',
  'insufficient_scope',
  'resource_not_found',
  'payload_too_large',
  'unsupported_media_type',
] as const

const IN_DEFAULT = [...ANY_OPERATION, ...BY_FORM].toSorted((a, b) => ERRORS[a].status - ERRORS[b].status)

const anyOperationResponse = (): Response => ({
  ...errorResponse(ERRORS.unauthorized.status, IN_DEFAULT),
  description: IN_DEFAULT.map((code) => `${ERRORS[code].status} ${code}`).join(', '),
  headers: Object.assign(
    {},
    COMMON_HEADERS,
    ...IN_DEFAULT.map((code) => HEADERS_BY_STATUS[ERRORS[code].status]),
  ) as Record<string, Reference>,
})

const statusOf = ([first = 'internal_error']: readonly ErrorCode[]): number => ERRORS[first].status

const sharedBy = (codes: readonly ErrorCode[]) =>
  SHARED_RESPONSES.find((shared) => shared.codes.join() === codes.join())

/** Error responses by HTTP status. @param messages the route's own messages, where they differ from the table of errors */
export const errorResponses = (
  codes: readonly ErrorCode[],
  messages: Messages = {},
): Record<string, Response | Reference> => {
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].status)
  const isAlone = (code: ErrorCode) =>
    byStatus.get(ERRORS[code].status)?.join() === code && !(code in messages)
  const isGeneral = ANY_OPERATION.every(isAlone)
  if (isGeneral) for (const code of IN_DEFAULT.filter(isAlone)) byStatus.delete(ERRORS[code].status)
  const own = Object.fromEntries(
    [...byStatus].map(([status, grouped]) => {
      const shared = grouped.some((code) => code in messages) ? undefined : sharedBy(grouped)
      return [
        String(status),
        shared === undefined
          ? errorResponse(status, grouped, messages)
          : { $ref: `#/components/responses/${shared.name}` },
      ]
    }),
  )
  return isGeneral ? { ...own, default: { $ref: '#/components/responses/Failure' } } : own
}

/** The success responses of a route by status; what it makes and what it finds have different ones. */
export const successResponses = (
  schemas: Schemas,
  route: OperationRoute,
  examples: Readonly<Record<string, unknown>>,
): Record<string, Response> => {
  const { status, operation } = route
  const statuses = typeof status === 'number' ? [['success', status] as const] : Object.entries(status)
  const descriptions: Readonly<Record<string, string>> = { created: 'Created', existing: 'It already exists' }
  const headers =
    operation.idempotent === false ? {} : { headers: { 'Idempotent-Replayed': header('IdempotentReplayed') } }
  // What is made is shown; what is found looks the same.
  const shownStatus = Object.keys(examples).at(-1) ?? ''
  return Object.fromEntries(
    statuses.map(([variant, code]) => [
      String(code),
      {
        description: descriptions[variant] ?? 'OK',
        ...headers,
        ...(code === NO_CONTENT
          ? {}
          : {
              content: {
                'application/json': {
                  schema: successSchema(schemas, operation.reply),
                  ...shown(String(code) === shownStatus ? examples[shownStatus] : undefined),
                },
              },
            }),
      },
    ]),
  )
}

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' } })

const ErrorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: {
        code: { $ref: '#/components/schemas/ErrorCode' },
        message: { type: 'string', description: 'For people; it can change' },
        request_id: { $ref: '#/components/schemas/RequestId' },
        details: {
          type: 'array',
          description:
            'Each invalid field once, as `field` and `reason`, or other data about the error. At most 20 entries; if there are more, the first 19 and `{reason: "more", count}`.',
          items: { $ref: '#/components/schemas/ErrorDetail' },
        },
      },
    },
  },
}

const ErrorDetail = {
  type: 'object',
  properties: {
    field: { type: 'string', description: 'Dotted path, such as `order_lines.0.quantity`' },
    reason: {
      type: 'string',
      description: `For a field, one of ${FIELD_REASONS.map((reason) => `\`${reason}\``).join(', ')}; of a 401, one of \`missing\`, \`malformed\`, \`expired\`, \`revoked\`, \`wrong_kind\`, \`invalid\``,
    },
    allowed: {
      type: 'array',
      items: {},
      description: 'The allowed values, if they are few',
    },
    expected: { type: 'string', description: 'What is accepted, in words: a bound, a type or a format' },
    hint: { type: 'string', description: 'A sentence more, such as `Did you mean EUR?`' },
  },
  additionalProperties: true,
}

/** Components of errors and of what every response has. @param further responses of another kind */
export const sharedResponses = (
  schemas: Schemas,
  further: Readonly<Record<string, Response>> = {},
): Pick<ApiDocument['components'], 'headers' | 'responses' | 'examples' | 'schemas'> => ({
  headers: {
    RequestId: { description: 'Equals `request_id` in the body', schema: schemas.reply(RequestId) },
    RateLimitLimit: integerHeader('Burst limit of the caller’s requests'),
    RateLimitRemaining: integerHeader('Requests left of the limit'),
    RateLimitReset: integerHeader('Seconds until the limit is fully restored'),
    RetryAfter: integerHeader('Seconds to wait before a retry'),
    IdempotentReplayed: {
      description: 'Present on a replayed response for the same key',
      schema: { type: 'string', const: 'true' },
    },
    WwwAuthenticate: { description: 'The expected scheme', schema: { type: 'string' } },
  },
  responses: {
    ...Object.fromEntries(
      SHARED_RESPONSES.map(({ name, codes }) => [name, errorResponse(statusOf(codes), codes)]),
    ),
    Failure: anyOperationResponse(),
    ...further,
  },
  examples: Object.fromEntries(
    (Object.keys(ERRORS) as ErrorCode[]).map((code) => [code, errorExample(code)]),
  ),
  schemas: {
    Success: successEnvelope(schemas),
    Error: ErrorSchema,
    ErrorCode: { type: 'string', enum: Object.keys(ERRORS) },
    ErrorDetail,
  },
})
