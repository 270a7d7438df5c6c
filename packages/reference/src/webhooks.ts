import {
  EVENT_DATA,
  MERCHANT_EVENT_BODIES,
  MERCHANT_EVENT_CATALOGUE,
  MERCHANT_EVENTS,
  PARTNER_EVENT_CATALOGUE,
  PARTNER_EVENT_TYPES,
  PARTNER_EVENTS,
  type EventData,
  type EventDescription,
  type MerchantEvent,
  type PartnerEventType,
} from '@causeway/contracts'
import type { z } from 'zod'
import type { ApiDocument, ApiOperation, Parameter } from './document.ts'
import { shown, type Examples } from './examples.ts'
import type { Schemas } from './json-schema.ts'

const reference = (name: string) => ({ $ref: `#/components/parameters/${name}` })

/** Headers of a delivery (spec: Delivery and signing). */
export const DELIVERY_HEADERS = {
  Signature: {
    name: 'x-signature',
    in: 'header',
    required: true,
    description:
      '`v1=` and the hex HMAC-SHA256 of `<x-timestamp>.<raw body>`; the key is the text of the webhook’s secret. Compare in constant time. During a rotation, `x-signature-next` uses the new secret.',
    schema: { type: 'string', pattern: '^v1=[0-9a-f]{64}$' },
  },
  Timestamp: {
    name: 'x-timestamp',
    in: 'header',
    required: true,
    description: 'Unix seconds of this attempt. Refuse a difference of more than 300 seconds.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  Destination: {
    name: 'x-webhook-id',
    in: 'header',
    required: true,
    description: 'Id of the webhook, or `integration:<integrationId>` for an integration’s own URL.',
    schema: { type: 'string' },
  },
  WebhookEventId: {
    name: 'x-webhook-event-id',
    in: 'header',
    required: true,
    description: 'Id of the event, identical in all retries and redeliveries.',
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, Parameter>>

/** The response of a receiver. */
export const DELIVERY_RESPONSES = {
  Delivered: {
    description:
      'A 2xx ends the delivery. Answer within 10 seconds (partner) or 6 (merchant). A 4xx except 408, 409, 425 and 429 ends it too. Any other response is retried.',
  },
} as const

const pascalCase = (name: string): string =>
  name
    .split(/[._]/)
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('')

/** The body of each event of the merchant channel; `test` is sent by a call and not emitted. */
const merchantBodies: ReadonlyMap<MerchantEvent, z.ZodType> = new Map<MerchantEvent, z.ZodType>([
  ['test', MERCHANT_EVENT_BODIES.TestSent],
  ...Object.values<EventData>(EVENT_DATA).flatMap(({ merchant }) =>
    merchant === undefined ? [] : [[merchant.event, merchant.body] as const],
  ),
])

/** The body of each event of the partner channel. */
const partnerBodies: ReadonlyMap<PartnerEventType, z.ZodType> = new Map(
  Object.values(PARTNER_EVENTS).flatMap((body) =>
    body.shape.event_type.options.map((type) => [type, body as z.ZodType] as const),
  ),
)

type Event = Readonly<{
  channel: 'Partner' | 'Merchant'
  name: string
  description: EventDescription
  body: z.ZodType | undefined
  examples: Readonly<Record<string, unknown>>
}>

const describeEvent = (
  schemas: Schemas,
  { channel, name, description, body, examples }: Event,
): ApiOperation => {
  if (body === undefined) throw new Error(`The event ${name} has no body`)
  return {
    operationId: `on${channel}${pascalCase(name)}`,
    summary: `${name}: ${description.summary}`,
    description: `**When:** ${description.when}\n\n**What to do:** ${description.todo}`,
    tags: [`${channel} events`],
    security: [],
    parameters: Object.keys(DELIVERY_HEADERS).map(reference),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemas.reply(body),
          ...shown(Object.values(examples)[0]),
        },
      },
    },
    responses: { default: { $ref: '#/components/responses/Delivered' } },
  }
}

const eventsOf = ({ events: { partner, merchant } }: Examples): readonly Event[] => [
  ...PARTNER_EVENT_TYPES.map((name) => ({
    channel: 'Partner' as const,
    name,
    description: PARTNER_EVENT_CATALOGUE[name],
    body: partnerBodies.get(name),
    examples: partner[name] ?? {},
  })),
  ...MERCHANT_EVENTS.map((name) => ({
    channel: 'Merchant' as const,
    name,
    description: MERCHANT_EVENT_CATALOGUE[name],
    body: merchantBodies.get(name),
    examples: merchant[name] ?? {},
  })),
]

/** Every event of both channels, as OpenAPI describes webhooks. */
export const describeWebhooks = (schemas: Schemas, examples: Examples): ApiDocument['webhooks'] & object =>
  Object.fromEntries(eventsOf(examples).map((event) => [event.name, { post: describeEvent(schemas, event) }]))
