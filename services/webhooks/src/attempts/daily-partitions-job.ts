import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { deleteStrayAttempts, dropAttemptsBefore, openAttemptsDay } from './daily-partitions-store.ts'

/** Beside today's: so long may the job stand still before attempts go into the default partition. */
const DAYS_AHEAD = 3
const EVERY_MS = 60_000
const REST_MS = 1_000
const STRAYS = 10_000

/** Makes the daily tables of attempts ahead of time, and drops those that are past their retention. */
export const keepAttemptDays = async (
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  retentionMs: number,
): Promise<void> => {
  const now = clock.now()
  for (let day = 0; day <= DAYS_AHEAD; day += 1) await db.apart.query(openAttemptsDay, [day, now])
  const oldest = new Date(now.getTime() - retentionMs)
  while ((await db.apart.query(dropAttemptsBefore, [oldest])).length > 0);
  await db.apart.query(deleteStrayAttempts, [oldest, STRAYS])
}

/** Any replica does it; the database lets one at a time. */
export const startAttemptDays = (context: ServiceContext, retentionMs: number): Loop =>
  startLoop({
    name: 'attempt-days',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log: context.log,
    run: () => keepAttemptDays(context, retentionMs),
  })
