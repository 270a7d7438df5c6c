import { statement, type Db } from '@causeway/chassis'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import { eventColumns, LOG_EVENTS } from '../event-log.ts'
import type { Batch } from '../feeder.ts'
import { QUEUE } from './queue.ts'

const logEvents = statement({
  name: 'rivals.pg-boss.log-events',
  text: LOG_EVENTS,
  row: z.object({ owner_id: z.string(), event_id: z.string() }),
})

/** One transaction for a batch: its events' rows, and their jobs by pg-boss, to which the transaction is handed. */
export const createAdd =
  (store: Db, boss: PgBoss) =>
  ({ notices, jobs }: Batch): Promise<void> =>
    store.transaction(async (transaction) => {
      const logged = await transaction.query(logEvents, eventColumns(notices))
      const isNew = new Set(logged.map((row) => `${row.owner_id} ${row.event_id}`))
      const wanted = jobs.filter(({ ownerId, eventId }) => isNew.has(`${ownerId} ${eventId}`))
      // As a statement of the product's client it is prepared once; it gives no rows that are asked for.
      const executeSql = async (text: string, values: unknown[] = []) => ({
        rows: await transaction.query(statement({ name: 'rivals.pg-boss.insert', text }), values),
      })
      await boss.insert(
        QUEUE,
        wanted.map((data) => ({ data })),
        { db: { executeSql } },
      )
    })
