import {
  Callers,
  ERRORS,
  RESOURCES,
  SENDERS,
  SERVICES,
  mayCall,
  type ErrorCode,
  type Operation,
  type ServiceName,
} from '@causeway/contracts'
import { z } from 'zod'
import type { Schemas } from '../json-schema.ts'
import { TRACEPARENT, type Json } from './json.ts'

/** Codes of the host that serves an operation, in addition to the operation's own codes. */
const HOST_REFUSALS: readonly ErrorCode[] = [
  'temporarily_unavailable',
  'internal_error',
  'resource_not_found',
]

export type Served = Readonly<{ service: ServiceName; operation: Operation }>

/** Every operation that is served over the bus. */
export const servedOperations = (): Served[] =>
  SERVICES.flatMap((service) =>
    RESOURCES[service]
      .flatMap((resource) => Object.values(resource))
      .map((operation) => ({ service, operation })),
  )

const isGiven = (schema: z.ZodType): boolean => !(schema instanceof z.ZodUndefined)

/** The JSON of a request: parts that an operation does not take are not in it. */
const requestOf = (schemas: Schemas, { caller, idempotent, ...parts }: Operation): Json => {
  const given = (['params', 'query', 'body', 'expected'] as const).filter((part) => isGiven(parts[part]))
  const callerName = `${caller.charAt(0).toUpperCase()}${caller.slice(1)}Caller`
  return {
    type: 'object',
    required: ['requestId', 'caller', ...(idempotent === true ? ['idempotencyKey'] : [])],
    properties: {
      requestId: { type: 'string' },
      caller: schemas.namedRequest(callerName, Callers[caller]),
      ...(idempotent !== false ? { idempotencyKey: { type: 'string' } } : {}),
      ...Object.fromEntries(given.map((part) => [part, schemas.request(parts[part])])),
    },
  }
}

const refusalCodes = ({ refusals, badBody, query, body }: Operation): ErrorCode[] => [
  ...new Set([
    ...refusals,
    ...(isGiven(body) ? [badBody] : []),
    ...(isGiven(query) ? (['invalid_request'] as const) : []),
    ...HOST_REFUSALS,
  ]),
]

/** Who may call an operation: its text in the document. */
const callersText = (operation: Operation): string => {
  const senders = SENDERS.filter((sender) => mayCall(sender, operation))
  const of = operation.caller === 'service' ? '' : ` for a caller of the kind \`${operation.caller}\``
  return `Sent by ${senders.map((sender) => `\`${sender}\``).join(', ')}${of}.`
}

/** The channel of an operation's requests. */
export const requestChannel = (schemas: Schemas, { operation }: Served): Json => ({
  address: operation.subject,
  messages: {
    request: {
      name: `${operation.subject}.request`,
      summary: operation.summary,
      contentType: 'application/json',
      headers: { type: 'object', properties: { traceparent: TRACEPARENT } },
      payload: requestOf(schemas, operation),
    },
  },
})

const replySubject = ({ subject }: Operation) => `${subject}.reply`

/** The channel of an operation's replies: its subject is made by the sender. */
export const replyChannel = (schemas: Schemas, { operation }: Served): readonly [name: string, Json] => [
  replySubject(operation),
  {
    address: null,
    messages: {
      reply: {
        name: `${operation.subject}.reply`,
        summary: 'Done',
        contentType: 'application/json',
        payload: schemas.reply(operation.reply),
      },
      refusal: {
        name: `${operation.subject}.refusal`,
        summary: 'Refused',
        contentType: 'application/json',
        payload: {
          allOf: [
            { $ref: '#/components/schemas/Refusal' },
            { type: 'object', properties: { code: { type: 'string', enum: refusalCodes(operation) } } },
          ],
        },
      },
    },
  },
]

/** The receive operation of a service's requests. */
export const requestOperation = ({ service, operation }: Served): Json => ({
  action: 'receive',
  channel: { $ref: `#/channels/${operation.subject}` },
  summary: operation.summary,
  description: [callersText(operation), operation.description].filter(Boolean).join('\n\n'),
  tags: [{ name: service }],
  messages: [{ $ref: `#/channels/${operation.subject}/messages/request` }],
  bindings: { nats: { queue: service, bindingVersion: '0.1.0' } },
  reply: {
    channel: { $ref: `#/channels/${replySubject(operation)}` },
    messages: ['reply', 'refusal'].map((message) => ({
      $ref: `#/channels/${replySubject(operation)}/messages/${message}`,
    })),
  },
})

/** The schema of every refusal. */
export const REFUSAL: Json = {
  type: 'object',
  description: 'errors.md lists the HTTP status and message of each code.',
  required: ['code'],
  properties: {
    code: { type: 'string', enum: Object.keys(ERRORS) },
    details: { type: 'array', items: { type: 'object' } },
    replayedRequestId: { type: 'string', description: 'In a replay by key: id of the first request' },
  },
}
