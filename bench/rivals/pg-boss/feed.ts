import { queryMany, queryNone, type Db, type Transaction } from '@causeway/chassis'
import type { PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { DeliveryJob } from '../delivery.ts'
import { EVENT_PARAMETERS, eventColumns, LOG_MISSING_EVENTS, LOG_NEW_EVENTS } from '../event-log.ts'
import type { Batch } from '../feeder.ts'
import { newFirst } from '../new-first.ts'
import { QUEUE } from './queue.ts'

const logNew = queryNone({
  name: 'rivals.pg-boss.log-new',
  parameters: EVENT_PARAMETERS,
  text: LOG_NEW_EVENTS,
})
const logMissing = queryMany({
  name: 'rivals.pg-boss.log-missing',
  parameters: EVENT_PARAMETERS,
  text: LOG_MISSING_EVENTS,
  row: z.object({ ownerId: z.string(), eventId: z.string() }),
})

/** One transaction for a batch: its events' rows, and their jobs by pg-boss, which uses the same transaction. */
export const createAdd = (store: Db, boss: PgBoss): ((batch: Batch) => Promise<void>) => {
  const insert = (transaction: Transaction, jobs: readonly DeliveryJob[]) => {
    // pg-boss brings its own SQL with numbered parameters. Named, it is prepared once; its rows are not asked for.
    const executeSql = async (text: string, values: unknown[] = []) => ({
      rows: await transaction.query(
        { name: 'rivals.pg-boss.insert', text, row: null, bind: () => values },
        {},
      ),
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
        await logNew(transaction, eventColumns(copies))
        await insert(transaction, jobs)
      }),
    ({ copies, jobs }) =>
      store.transaction(async (transaction) => {
        const logged = await logMissing(transaction, eventColumns(copies))
        const isNew = new Set(logged.map((row) => `${row.ownerId} ${row.eventId}`))
        await insert(
          transaction,
          jobs.filter(({ ownerId, eventId }) => isNew.has(`${ownerId} ${eventId}`)),
        )
      }),
  )
}
