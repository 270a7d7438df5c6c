import {
  EVENTS,
  MERCHANT_CHANNEL,
  MERCHANT_EVENTS,
  OPT_IN_EVENT_TYPES,
  PARTNER_EVENT_TYPES,
  PARTNER_EVENTS,
  type EventDescription,
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

type Event = Readonly<{
  channel: 'Partner' | 'Merchant'
  name: string
  description: EventDescription
  isOptIn: boolean
  body: z.ZodType
  examples: Readonly<Record<string, unknown>>
}>

const OPT_IN =
  '**Must be named:** only a destination whose `event_types` names it receives it; an empty list does not include it.'

const describeEvent = (
  schemas: Schemas,
  { channel, name, description, isOptIn, body, examples }: Event,
): ApiOperation => ({
  operationId: `on${channel}${pascalCase(name)}`,
  summary: `${name}: ${description.summary}`,
  description: [
    `**When:** ${description.when}`,
    ...(isOptIn ? [OPT_IN] : []),
    `**What to do:** ${description.todo}`,
  ].join('\n\n'),
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
})

const eventsOf = ({ events: { partner, merchant } }: Examples): readonly Event[] => [
  ...PARTNER_EVENT_TYPES.map((name) => ({
    channel: 'Partner' as const,
    name,
    description: EVENTS[name].partner,
    isOptIn: OPT_IN_EVENT_TYPES.includes(name),
    body: PARTNER_EVENTS[EVENTS[name].partner.body],
    examples: partner[name] ?? {},
  })),
  ...MERCHANT_EVENTS.map((name) => ({
    channel: 'Merchant' as const,
    name,
    description: MERCHANT_CHANNEL[name],
    isOptIn: false,
    body: MERCHANT_CHANNEL[name].body,
    examples: merchant[name] ?? {},
  })),
]

/** Every event of both channels, as OpenAPI describes webhooks. */
export const describeWebhooks = (schemas: Schemas, examples: Examples): ApiDocument['webhooks'] & object =>
  Object.fromEntries(eventsOf(examples).map((event) => [event.name, { post: describeEvent(schemas, event) }]))
