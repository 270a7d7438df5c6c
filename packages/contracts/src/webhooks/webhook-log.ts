import { z } from 'zod'
import { idOf, limitParameter, cursorParameter, Timestamp, TimestampInput } from '../primitives.ts'

/** How a delivery stands (decisions §14). */
export const DeliveryStatus = z.enum(['waiting', 'delivered', 'dead'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** How an event stands at a destination: by its delivery, or `missed` where there is none. */
export const EventStatus = z.enum([...DeliveryStatus.options, 'missed'])
export type EventStatus = z.infer<typeof EventStatus>

const LOGGED_WEBHOOK = /^(whk_|integration:int_)[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** A destination with a log: a webhook, or an integration's own URL by the id that it is sent (`x-webhook-id`). */
export const LoggedWebhookId = z.string().regex(LOGGED_WEBHOOK).meta({
  description: 'Identifier of a webhook, or `integration:<integrationId>` for the own URL of an integration',
})

const period = {
  since: TimestampInput.optional().meta({ description: 'Earliest creation, inclusive' }),
  until: TimestampInput.optional().meta({ description: 'Latest creation, exclusive' }),
}
const page = { limit: limitParameter(50, 100), cursor: cursorParameter }

/** Which deliveries a list shows. With a filter a page may be short, as of events. */
export const deliveryQuery = { ...page, ...period, status: DeliveryStatus.optional() }

/** Which events a list shows. A page may be short or empty before the last one, which alone has no next cursor. */
export const eventQuery = { ...page, ...period, status: EventStatus.optional() }

/** Deliveries a second that a redelivery sends: by default, and at the most. */
export const REDELIVERY_PACE = { standard: 50, most: 500 } as const

/** What a redelivery sends again: every event since a time, or those that stand in one way at the destination. */
export const redeliveryBody = {
  since: TimestampInput.meta({ description: 'Earliest creation of an event, inclusive' }),
  until: TimestampInput.optional().meta({ description: 'Latest creation, exclusive; default now' }),
  status: EventStatus.exclude(['waiting']).optional().meta({
    description: 'Only what is dead, was delivered or was missed; without it all three',
  }),
}
export type RedeliveryOrder = z.infer<z.ZodObject<typeof redeliveryBody>>
const pace = z.number().int().min(1).max(REDELIVERY_PACE.most)
export const RedeliveryPace = pace.optional().meta({
  description: `Deliveries a second at most, default ${REDELIVERY_PACE.standard}`,
})

/** How a redelivery stands. */
export const RedeliveryStatus = z.enum(['running', 'done', 'cancelled'])

/** An event of the log. */
export const LoggedEvent = z.object({
  event_id: idOf('event'),
  event_type: z.string(),
  integration_id: idOf('integration').nullable(),
  created_at: Timestamp,
  /** Empty where no destination took it. */
  deliveries: z.array(
    z.object({
      webhook_id: LoggedWebhookId,
      delivery_id: idOf('delivery'),
      status: DeliveryStatus,
      next_attempt_at: Timestamp.nullable(),
    }),
  ),
})
export type LoggedEvent = z.infer<typeof LoggedEvent>

/** A redelivery and how far it has come,. */
export const Redelivery = z.object({
  redelivery_id: idOf('redelivery'),
  webhook_id: LoggedWebhookId,
  status: RedeliveryStatus,
  event_status: EventStatus.nullable(),
  since: Timestamp,
  until: Timestamp,
  per_second: pace,
  /** Deliveries that it has made due. */
  sent: z.number().int(),
  /** Creation of the last event that it has looked at; it goes from `since` to `until`. */
  reached: Timestamp,
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})
export type Redelivery = z.infer<typeof Redelivery>

/** An event's body as it is sent: JSON of the channel's envelope. */
export const SentPayload = z.record(z.string(), z.unknown())
