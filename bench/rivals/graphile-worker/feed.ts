import { statement, type Db } from '@causeway/chassis'
import { eventColumns, LOG_EVENTS } from '../event-log.ts'
import type { Batch } from '../feeder.ts'

/**
 * One statement for a batch: its events' rows, and their jobs by graphile-worker's own function. The payloads are made
 * by the database, so that a body goes there once. The fields of a payload are those of `DeliveryJob`.
 */
const feed = statement({
  name: 'rivals.graphile-worker.feed',
  text: `
    WITH logged AS (${LOG_EVENTS})
    SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
      SELECT ROW('deliver', json_build_object('deliveryId', id, 'destinationId', destination_id, 'ownerId', owner_id,
        'eventId', event_id, 'type', type, 'body', body, 'createdMs', created_ms),
        NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
      FROM unnest($7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[])
        AS job (id, destination_id, owner_id, event_id, created_ms)
      JOIN logged USING (owner_id, event_id)
    ))`,
})

export const createAdd =
  (store: Db) =>
  async ({ notices, jobs }: Batch): Promise<void> => {
    await store.query(feed, [
      ...eventColumns(notices),
      jobs.map(({ deliveryId }) => deliveryId),
      jobs.map(({ destinationId }) => destinationId),
      jobs.map(({ ownerId }) => ownerId),
      jobs.map(({ eventId }) => eventId),
      jobs.map(({ createdMs }) => createdMs),
    ])
  }
