import { z } from 'zod'
import { operation, resource } from './operation.ts'
import { text, Timestamp } from './primitives.ts'
import { EVENT_SERVICES, type ServiceName } from './services.ts'

/** Most characters of an event's text that are shown. */
export const SHOWN_PAYLOAD_CHARACTERS = 16_384

/** An event whose handling failed ten times, or that could not be read. It does not block later events. */
export const ParkedEvent = z.object({
  service: z.enum(EVENT_SERVICES),
  /** The durable consumer that could not handle it. */
  consumer: z.string(),
  event_id: z.string(),
  subject: z.string(),
  /** Error of the last attempt. */
  error: z.string(),
  parked_at: Timestamp,
  /** Last retry by staff; null if there was none. */
  retried_at: Timestamp.nullable(),
  /** Null while it waits for a decision. */
  set_aside_at: Timestamp.nullable(),
  /** The note of staff when they removed it from the queue. */
  note: z.string().nullable(),
})
export type ParkedEvent = z.infer<typeof ParkedEvent>

export const ParkedEventState = z.enum(['waiting', 'set_aside'])

/** With its text as it came, of which at most 16,384 characters are shown. */
export const ParkedEventDetail = ParkedEvent.extend({ payload: z.string() })

/** `handled`: it left the queue. `failed`: it stays in the queue with the new error. */
export const RetryResult = z.object({ result: z.enum(['handled', 'failed']), parked_event: ParkedEvent })

export const SetAsideBody = z.strictObject({ note: text(1_000) })

const params = z.object({ consumer: z.string(), eventId: z.string() })

/**
 * `<service>.parked-events`: answered by the chassis in every service that consumes events, and asked by the gateway
 * for staff.
 */
export const parkedEventsOf = (service: ServiceName) =>
  resource(`${service}.parked-events`, {
    list: operation({
      summary: 'List the parked events of a service after a position, oldest first',
      caller: 'operator',
      body: z.object({
        state: ParkedEventState,
        /** `key`: consumer and event id, as `<consumer>/<event id>`. */
        after: z.object({ at: Timestamp, key: z.string() }),
        limit: z.number().int().min(1).max(101),
      }),
      reply: z.object({ parked_events: z.array(ParkedEvent) }),
    }),
    get: operation({
      summary: 'Get a parked event with its text',
      caller: 'operator',
      params,
      reply: z.object({ parked_event: ParkedEventDetail }),
      refusals: ['resource_not_found'],
    }),
    retry: operation({
      summary: 'Retry a parked event',
      caller: 'operator',
      params,
      reply: RetryResult,
      refusals: ['resource_not_found', 'temporarily_unavailable'],
    }),
    setAside: operation({
      summary: 'Remove a parked event from the queue, and keep it',
      caller: 'operator',
      params,
      body: SetAsideBody,
      reply: z.object({ parked_event: ParkedEvent }),
      refusals: ['resource_not_found'],
    }),
  })
