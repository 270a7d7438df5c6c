import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import {
  deleteUnpartitionedAttempts,
  dropAttemptsBefore,
  openAttemptsDay,
} from '../daily-partitions-store.ts'

/** Partitions in addition to today's: the job may fail this many days before attempts go into the default partition. */
const DAYS_AHEAD = 3
const EVERY_MS = 60_000
const REST_MS = 1_000
const BATCH = 10_000

/** Creates the daily partitions of attempts ahead of time, and drops those that are past their retention. */
export const keepDailyPartitions = async (
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  retentionMs: number,
): Promise<void> => {
  const now = clock.now()
  for (let daysAhead = 0; daysAhead <= DAYS_AHEAD; daysAhead += 1)
    await openAttemptsDay(db.pooled, { daysAhead, now })
  const oldest = new Date(now.getTime() - retentionMs)
  while ((await dropAttemptsBefore(db.pooled, { oldest })) !== null);
  await deleteUnpartitionedAttempts(db.pooled, { oldest, limit: BATCH })
}

/** Any replica does it; the database lets one at a time. */
export const startDailyPartitions = (context: ServiceContext, retentionMs: number): Loop =>
  startLoop({
    name: 'attempt-days',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log: context.log,
    run: () => keepDailyPartitions(context, retentionMs),
  })
