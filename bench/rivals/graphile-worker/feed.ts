import { statement, type Db } from '@causeway/chassis'
import { eventColumns, LOG_MISSING_EVENTS, LOG_NEW_EVENTS } from '../event-log.ts'
import type { Batch } from '../feeder.ts'
import { newFirst } from '../new-first.ts'

/** The jobs of the events, one each: those have their parameters 1 to 6. The body goes to the database once. */
const JOBS = `
  unnest($7::text[], $8::text[], $9::bigint[], $1::text[], $2::text[], $3::text[], $5::text[])
    AS job (id, destination_id, created_ms, owner_id, event_id, type, body)`

/** The fields of a payload are those of `DeliveryJob`. */
const addFrom = (jobs: string): string => `
  SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
    SELECT ROW('deliver', json_build_object('deliveryId', id, 'destinationId', destination_id, 'ownerId', owner_id,
      'eventId', event_id, 'type', type, 'body', body, 'createdMs', created_ms),
      NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
    FROM ${jobs}
  ))`

const feedNew = statement({
  name: 'rivals.graphile-worker.feed-new',
  text: `WITH logged AS (${LOG_NEW_EVENTS}) ${addFrom(JOBS)}`,
})
const feedMissing = statement({
  name: 'rivals.graphile-worker.feed-missing',
  text: `WITH logged AS (${LOG_MISSING_EVENTS}) ${addFrom(`${JOBS} JOIN logged USING (owner_id, event_id)`)}`,
})

const columns = ({ copies, jobs }: Batch): unknown[] => [
  ...eventColumns(copies),
  jobs.map(({ deliveryId }) => deliveryId),
  jobs.map(({ destinationId }) => destinationId),
  jobs.map(({ createdMs }) => createdMs),
]

/** One statement for a batch: its events' rows, and their jobs by graphile-worker's own function. */
export const createAdd = (store: Db): ((batch: Batch) => Promise<void>) =>
  newFirst(
    (batch) => store.query(feedNew, columns(batch)),
    (batch) => store.query(feedMissing, columns(batch)),
  )
