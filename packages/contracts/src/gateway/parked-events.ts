import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import {
  ParkedEvent,
  ParkedEventDetail,
  ParkedEventState,
  RetryResult,
  SetAsideBody,
} from '../parked-events.ts'
import { cursorParameter, limitParameter, NextCursor, text } from '../primitives.ts'
import { SERVICES } from '../services.ts'

const params = z.object({ consumer: text(100), eventId: text(200) })

/** `gateway.parked-events`: events that a service could not handle, of all services (decisions §45). */
export const parkedEvents = resource('gateway.parked-events', {
  list: operation({
    operationId: 'listParkedEvents',
    summary: 'List the events that a service could not handle, oldest first',
    description:
      'Use it every day: nothing waits behind such an event, but what it tells has not happened at its consumer.',
    caller: 'operator',
    query: z.object({
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
      state: ParkedEventState.default('waiting'),
    }),
    reply: z.object({
      parked_events: z.array(ParkedEvent),
      /** Services that did not answer: their events are missing in this page. */
      unavailable: z.array(z.enum(SERVICES)),
      next_cursor: NextCursor,
    }),
    refusals: ['invalid_cursor', 'temporarily_unavailable'],
  }),
  get: operation({
    operationId: 'getParkedEvent',
    summary: 'Read a parked event with its text',
    description: 'Use it to see why an event could not be handled. Its text may hold personal data.',
    caller: 'operator',
    params,
    reply: z.object({ parked_event: ParkedEventDetail }),
    refusals: ['resource_not_found', 'temporarily_unavailable'],
  }),
  retry: operation({
    operationId: 'retryParkedEvent',
    summary: 'Let its consumer handle a parked event once more',
    description:
      'Use it when the cause is mended. `failed` leaves the event in the queue with the new error; repeating it does no harm.',
    caller: 'operator',
    params,
    reply: RetryResult,
    refusals: ['resource_not_found', 'temporarily_unavailable'],
  }),
  setAside: operation({
    operationId: 'setParkedEventAside',
    summary: 'Take a parked event out of the queue, with a note, and keep it',
    description: 'Use it for an event that need not be handled any more. It can still be tried again.',
    caller: 'operator',
    params,
    body: SetAsideBody,
    reply: z.object({ parked_event: ParkedEvent }),
    refusals: ['resource_not_found', 'temporarily_unavailable'],
  }),
})
