import { z } from 'zod'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  ParkedEvent,
  ParkedEventDetail,
  ParkedEventState,
  RetryResult,
  SetAsideBody,
} from '../parked-events.ts'
import { cursorParameter, limitParameter, NextCursor, text } from '../primitives.ts'
import { EVENT_SERVICES } from '../services.ts'

/** Each asks the services, and waits for one that does not answer. */
const ASKS_SERVICES = { waitsMs: 2_000 } as const

const params = z.object({ consumer: text(100), eventId: text(200) })

/** `gateway.parked-events`: events that a service could not handle, of all services (decisions §45). */
export const parkedEvents = resource('gateway.parked-events', {
  list: operation({
    operationId: 'listParkedEvents',
    http: get('/parked-events'),
    role: 'viewer',
    tag: 'Parked events',
    summary: 'List the events that a service failed to process, oldest first',
    description:
      'Check it daily. A parked event does not block later events, but its consumer has not applied it.',
    caller: 'operator',
    query: z.object({
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
      state: ParkedEventState.default('waiting'),
    }),
    reply: z.object({
      parked_events: z.array(ParkedEvent),
      /** Services that did not answer: their events are missing in this page. */
      unavailable: z.array(z.enum(EVENT_SERVICES)),
      next_cursor: NextCursor,
    }),
    refusals: ['invalid_cursor', 'temporarily_unavailable'],
    ...ASKS_SERVICES,
  }),
  get: operation({
    operationId: 'getParkedEvent',
    http: get('/parked-events/:consumer/:eventId'),
    role: 'viewer',
    tag: 'Parked events',
    summary: 'Get a parked event with its text',
    description: 'Use it to find out why processing failed. The text may hold personal data.',
    caller: 'operator',
    params,
    reply: z.object({ parked_event: ParkedEventDetail }),
    refusals: ['resource_not_found', 'temporarily_unavailable'],
    ...ASKS_SERVICES,
  }),
  retry: operation({
    operationId: 'retryParkedEvent',
    http: post('/parked-events/:consumer/:eventId/retry'),
    role: 'admin',
    tag: 'Parked events',
    summary: 'Retry a parked event',
    description:
      'Use it after fixing the cause. `failed` keeps the event parked with the new error. Retrying is safe.',
    caller: 'operator',
    params,
    reply: RetryResult,
    refusals: ['resource_not_found', 'temporarily_unavailable'],
    ...ASKS_SERVICES,
  }),
  setAside: operation({
    operationId: 'setParkedEventAside',
    http: post('/parked-events/:consumer/:eventId/set-aside'),
    role: 'admin',
    tag: 'Parked events',
    summary: 'Remove a parked event from the queue, with a note; it is kept',
    description: 'Use it for an event that no longer needs processing. It can still be retried.',
    caller: 'operator',
    params,
    body: SetAsideBody,
    reply: z.object({ parked_event: ParkedEvent }),
    refusals: ['resource_not_found', 'temporarily_unavailable'],
    ...ASKS_SERVICES,
  }),
})
