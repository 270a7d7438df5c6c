import { statement, type Db, type Transaction } from '@causeway/chassis'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { DeliveryJob } from '../delivery.ts'
import { eventColumns, LOG_MISSING_EVENTS, LOG_NEW_EVENTS } from '../event-log.ts'
import type { Batch } from '../feeder.ts'
import { newFirst } from '../new-first.ts'
import { QUEUE } from './queue.ts'

const logNew = statement({ name: 'rivals.pg-boss.log-new', text: LOG_NEW_EVENTS })
const logMissing = statement({
  name: 'rivals.pg-boss.log-missing',
  text: LOG_MISSING_EVENTS,
  row: z.object({ owner_id: z.string(), event_id: z.string() }),
})

/** One transaction for a batch: its events' rows, and their jobs by pg-boss, to which the transaction is handed. */
export const createAdd = (store: Db, boss: PgBoss): ((batch: Batch) => Promise<void>) => {
  const insert = (transaction: Transaction, jobs: readonly DeliveryJob[]) => {
    // As a statement of the product's client it is prepared once; its rows are not asked for.
    const executeSql = async (text: string, values: unknown[] = []) => ({
      rows: await transaction.query(statement({ name: 'rivals.pg-boss.insert', text }), values),
    })
    return boss.insert(
      QUEUE,
      jobs.map((data) => ({ data })),
      { db: { executeSql } },
    )
  }
  return newFirst(
    ({ copies, jobs }) =>
      store.transaction(async (transaction) => {
        await transaction.query(logNew, eventColumns(copies))
        await insert(transaction, jobs)
      }),
    ({ copies, jobs }) =>
      store.transaction(async (transaction) => {
        const logged = await transaction.query(logMissing, eventColumns(copies))
        const isNew = new Set(logged.map((row) => `${row.owner_id} ${row.event_id}`))
        await insert(
          transaction,
          jobs.filter(({ ownerId, eventId }) => isNew.has(`${ownerId} ${eventId}`)),
        )
      }),
  )
}
