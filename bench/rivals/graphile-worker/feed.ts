import { queryNone, type Db } from '@causeway/chassis'
import { EVENT_PARAMETERS, eventColumns, LOG_MISSING_EVENTS, LOG_NEW_EVENTS } from '../event-log.ts'
import type { Batch } from '../feeder.ts'
import { newFirst } from '../new-first.ts'

/** The jobs of the events, one each. The body goes to the database once. */
const JOBS = `
  unnest(:jobIds, :destinationIds, :jobsCreatedMs, :ownerIds, :eventIds, :types, :bodies)
    AS job (id, destination_id, created_ms, owner_id, event_id, type, body)`

/** The fields of a payload are those of `DeliveryJob`. */
const addFrom = (jobs: string): string => `
  SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
    SELECT ROW('deliver', json_build_object('deliveryId', id, 'destinationId', destination_id, 'ownerId', owner_id,
      'eventId', event_id, 'type', type, 'body', body, 'createdMs', created_ms),
      NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
    FROM ${jobs}
  ))`

const parameters = {
  ...EVENT_PARAMETERS,
  jobIds: 'text[]',
  destinationIds: 'text[]',
  jobsCreatedMs: 'bigint[]',
} as const

const feedNew = queryNone({
  name: 'rivals.graphile-worker.feed-new',
  parameters,
  text: `WITH logged AS (${LOG_NEW_EVENTS}) ${addFrom(JOBS)}`,
})
const feedMissing = queryNone({
  name: 'rivals.graphile-worker.feed-missing',
  parameters,
  text: `WITH logged AS (${LOG_MISSING_EVENTS}) ${addFrom(`${JOBS} JOIN logged USING (owner_id, event_id)`)}`,
})

const columns = ({ copies, jobs }: Batch) => ({
  ...eventColumns(copies),
  jobIds: jobs.map(({ deliveryId }) => deliveryId),
  destinationIds: jobs.map(({ destinationId }) => destinationId),
  jobsCreatedMs: jobs.map(({ createdMs }) => createdMs),
})

/** One statement for a batch: its events' rows, and their jobs by graphile-worker's own function. */
export const createAdd = (store: Db): ((batch: Batch) => Promise<void>) =>
  newFirst(
    (batch) => feedNew(store, columns(batch)),
    (batch) => feedMissing(store, columns(batch)),
  )
