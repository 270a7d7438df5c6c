import { z } from 'zod'
import { PARTNER_EVENT_TYPES } from '../events/event-names.ts'
import { PartnerEvent } from '../events/partner-events.ts'
import { get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, limitParameter, optionalText, TimestampInput } from '../primitives.ts'

/** Longest time that a request for the feed waits for an event. */
export const MAX_FEED_WAIT_S = 30

/** Commas separate the types of a feed request. */
const SEPARATOR = ','
const MAX_TYPES_LENGTH = 255

/** The types that a request for the feed names; empty: every type. */
export const feedTypesOf = (types: string | undefined): string[] =>
  (types ?? '')
    .split(SEPARATOR)
    .map((type) => type.trim())
    .filter((type) => type !== '')

const unknownTypes = (types: string): string[] =>
  feedTypesOf(types).filter((type) => !(PARTNER_EVENT_TYPES as readonly string[]).includes(type))

const TypesParameter = optionalText(MAX_TYPES_LENGTH)
  .superRefine((types, context) => {
    const [unknown] = unknownTypes(types)
    if (unknown === undefined) return
    const expected = `event types of the partner channel; ${unknown} is not one`
    context.addIssue({
      code: 'custom',
      params: { reason: 'invalid_value', expected, candidates: PARTNER_EVENT_TYPES },
    })
  })
  .optional()
  .meta({
    description: 'Event types, separated by commas; without it, every type',
    example: 'payment.confirmed,refund.completed',
  })

const WAIT = /^\d{1,2}$/

const WaitParameter = z
  .string()
  .regex(WAIT)
  .transform(Number)
  .refine((seconds) => seconds <= MAX_FEED_WAIT_S, {
    params: { reason: 'invalid_value', expected: `0 to ${MAX_FEED_WAIT_S} seconds` },
  })
  .optional()
  .meta({
    type: 'integer',
    minimum: 0,
    maximum: MAX_FEED_WAIT_S,
    description: `Seconds to wait for an event if the last page would be empty, 0 to ${MAX_FEED_WAIT_S}, default 0`,
  })

const query = z.object({
  after: idOf('event').optional().meta({
    description:
      'The last event that you have processed, from this feed or from a webhook; the page begins after it. Without it the page begins with the oldest event',
  }),
  since: TimestampInput.optional().meta({
    description: 'Begin with events created at this time or later; ignored with `after`',
  }),
  types: TypesParameter,
  limit: limitParameter(100, 100),
  wait: WaitParameter,
})

export const EventFeedPage = z.object({
  events: z.array(PartnerEvent),
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: 'Event id: `after` of the next page; null at the end of the feed' }),
  resume_after: idOf('event')
    .nullable()
    .meta({ description: '`after` of a later request, at the end too; null if the feed has no event yet' }),
})
export type EventFeedPage = z.infer<typeof EventFeedPage>

const reads = { scopes: ['partner:read'] }
const tag = 'Partner webhooks'

/** `webhooks.feed`: the events of a partner in one order, for receivers that read instead of being called (decisions §57). */
export const feed = resource('webhooks.feed', {
  list: operation({
    operationId: 'listFeedEvents',
    http: get('/events', {
      ...reads,
      messages: {
        invalid_cursor:
          'The feed has no such event: it is older than the feed, or not one of yours. Begin without after, or with since.',
      },
    }),
    tag,
    summary: 'List your events in the order of the feed, which never changes',
    description:
      'Use it instead of webhooks, or after your receiver was down: pass the last event that you have processed as `after`, and read until `next_cursor` is null. Each event has the body of its webhook, whether or not you have an endpoint. With `wait` the response comes with the next event. The feed keeps 30 days, unless the platform is configured otherwise.',
    query,
    reply: EventFeedPage,
    refusals: ['invalid_request', 'invalid_cursor'],
    waitsMs: MAX_FEED_WAIT_S * 1_000,
  }),
  get: operation({
    operationId: 'getFeedEvent',
    http: get('/events/:eventId', reads),
    tag,
    summary: 'Get one of your events by its id',
    description: 'Use it to read an event again, such as one whose id you have logged.',
    params: z.object({ eventId: idOf('event') }),
    reply: z.object({ event: PartnerEvent }),
    refusals: ['resource_not_found'],
  }),
})
