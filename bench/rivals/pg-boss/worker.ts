/**
 * The job on pg-boss with what its pages advise for high throughput: batches, several workers, the next batch immediately
 * after a full one. A batch's outcomes are one statement, and its jobs are done when that is committed; one that fails
 * leaves the others of its batch alone.
 */
import { PgBoss, type Job, type JobResult } from 'pg-boss'
import { childArgument } from '../../parts/child-main.ts'
import { serveHeldWork } from '../../parts/held-work.ts'
import type { WorkerArgument } from '../contender.ts'
import { createDelivery, type DeliveryJob } from '../delivery.ts'
import { createFeeder } from '../feeder.ts'
import { createRecorder } from '../outcomes.ts'
import { openStore } from '../store.ts'
import { createAdd } from './feed.ts'
import { QUEUE } from './queue.ts'

const BATCH = 256
/** Concurrent batches, so that connections have work while one is fetched and another recorded. */
const WORKERS = 4

const argument = (await childArgument()) as WorkerArgument
const store = openStore(argument.storeUrl)
const deliver = createDelivery(argument)
const record = createRecorder(store)
const boss = new PgBoss({ connectionString: argument.storeUrl, useListenNotify: true })
boss.on('error', console.error)
await boss.start()
const options = {
  batchSize: BATCH,
  localConcurrency: WORKERS,
  burstWhenBatchFull: true,
  perJobResults: true,
  pollingIntervalSeconds: 0.5,
  notifyPollingIntervalSeconds: 0.5,
} as const
await boss.work(QUEUE, options, async (jobs: Job<DeliveryJob>[]): Promise<JobResult[]> => {
  const ended = await Promise.allSettled(
    jobs.map(async ({ data }) => ({ job: data, attempt: await deliver(data) })),
  )
  await record(ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])))
  return jobs.map(({ id }, index) => ({
    id,
    status: ended[index]?.status === 'fulfilled' ? 'completed' : 'failed',
  }))
})
serveHeldWork((events) => events, createFeeder(argument.destinations, createAdd(store, boss)))
