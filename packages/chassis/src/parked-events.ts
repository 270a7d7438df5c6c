import {
  isFromEmitter,
  parkedEventsOf,
  SHOWN_PAYLOAD_CHARACTERS,
  type ParkedEvent,
  type EventServiceName,
} from '@causeway/contracts'
import { consumerOf, type HandleEvent } from './bus/consumers.ts'
import { isPassing } from './bus/handle-batch.ts'
import { implement, type Implementation } from './bus/implement.ts'
import { readEvent } from './bus/received.ts'
import { refuse, reply, withBefore } from './outcome.ts'
import {
  deleteParked,
  findParked,
  listParked,
  recordFailedRetry,
  setParkedAside,
  type ParkedRow,
} from './parked-events-store.ts'
import type { KeylessServiceContext } from './service-context.ts'

/** A page of parked events has to fit into a reply. */
const MAX_ERROR_CHARACTERS = 1_000

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null

const presentOf =
  (service: EventServiceName) =>
  (row: ParkedRow): ParkedEvent => ({
    service,
    consumer: row.consumer,
    event_id: row.eventId,
    subject: row.subject,
    error: row.error.slice(0, MAX_ERROR_CHARACTERS),
    parked_at: row.parkedAt.toISOString(),
    retried_at: timeOf(row.retriedAt),
    set_aside_at: timeOf(row.setAsideAt),
    note: row.note,
  })

/** Handles an event's text as if it came from the stream. @returns why that failed; null where it was handled */
const tryAgain = async (
  handle: HandleEvent,
  { payload, subject }: Readonly<{ payload: string; subject: string }>,
): Promise<string | null> => {
  const received = readEvent(payload, { subject, traceparent: null })
  if (received instanceof Error) return received.message
  if (!isFromEmitter(received.subject, received.event)) return 'Its publisher does not own this event'
  try {
    await handle(received)
    return null
  } catch (error) {
    if (isPassing(error)) throw error
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * `<service>.parked-events` (decisions §45). Two tries at the same time do no harm: consumers tolerate repeated events.
 */
export const parkedEventOperations = ({
  service,
  db,
  bus,
}: Pick<KeylessServiceContext, 'db' | 'bus'> & Readonly<{ service: EventServiceName }>): Implementation[] => {
  const present = presentOf(service)
  return implement(parkedEventsOf(service), {
    async list({ body: { state, after, limit } }) {
      const position = { at: new Date(after.at), key: after.key }
      const rows = await listParked(db, { isSetAside: state === 'set_aside', ...position, limit })
      return reply({ parked_events: rows.map(present) })
    },

    async get({ params }) {
      const row = await findParked(db, params)
      if (row === null) return refuse('resource_not_found')
      return reply({
        parked_event: { ...present(row), payload: row.payload.slice(0, SHOWN_PAYLOAD_CHARACTERS) },
      })
    },

    async retry({ params, now, log }) {
      const row = await findParked(db, params)
      if (row === null) return refuse('resource_not_found')
      const handle = consumerOf(bus, params.consumer)
      if (handle === undefined) return refuse('temporarily_unavailable')
      const before = { parked_event: present(row) }
      const error = await tryAgain(handle, row)
      if (error === null) {
        await deleteParked(db, params)
        log.info({ event: 'event.parked_handled', ...params }, 'A retry handled a parked event')
        return withBefore(reply({ result: 'handled' as const, ...before }), before)
      }
      const failed = await recordFailedRetry(db, { ...params, error, now })
      if (failed === null) return refuse('resource_not_found')
      return withBefore(reply({ result: 'failed' as const, parked_event: present(failed) }), before)
    },

    async setAside({ params, body: { note }, now }) {
      const row = await setParkedAside(db, { ...params, note, now })
      if (row === null) return refuse('resource_not_found')
      const before = { ...row, setAsideAt: row.setAsideAtBefore, note: row.noteBefore }
      return withBefore(reply({ parked_event: present(row) }), { parked_event: present(before) })
    },
  })
}
