/**
 * The job on pg-boss with what its pages advise for high throughput: batches, several workers, the next batch at once
 * after a full one. A batch's outcomes are one statement; one that fails leaves the others of its batch alone.
 */
import { PgBoss, type Job, type JobResult } from 'pg-boss'
import { childArgument, serveParent } from '../../parts/child-main.ts'
import { createAttempts } from '../attempts.ts'
import type { WorkerArgument } from '../contender.ts'
import { createDelivery, type DeliveryJob } from '../delivery.ts'
import { QUEUE } from './queue.ts'

const BATCH = 256
/** So many batches at a time that connections have work while one is fetched and another recorded. */
const WORKERS = 4

const argument = (await childArgument()) as WorkerArgument
const deliver = createDelivery(argument)
const record = await createAttempts(argument.storeUrl)
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
  const done = await Promise.all(
    jobs.map(async ({ id, data }) => ({ jobId: id, attempt: await deliver(data) })),
  )
  await record(done)
  return done.map(({ jobId }) => ({ id: jobId, status: 'completed' }))
})
serveParent('ready', () => Promise.resolve(null))
