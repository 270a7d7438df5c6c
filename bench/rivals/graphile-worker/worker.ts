/**
 * The job on graphile-worker with what its page on performance advises for high throughput: a local queue, and
 * completions in batches. Outcomes go through the product's own batch writer, many a statement; a job is done when its
 * outcome is committed.
 */
import { run } from 'graphile-worker'
import { createBatchWriter } from '../../../services/webhooks/src/engine/record/batch-writer.ts'
import { childArgument } from '../../parts/child-main.ts'
import { serveHeldWork } from '../../parts/held-work.ts'
import type { WorkerArgument } from '../contender.ts'
import { createDelivery, type DeliveryJob } from '../delivery.ts'
import { createFeeder } from '../feeder.ts'
import { createRecorder, type Outcome } from '../outcomes.ts'
import { openStore } from '../store.ts'
import { createAdd } from './feed.ts'
import { QUIET } from './quiet.ts'

/** Jobs per connection, so that none is idle while outcomes are written. */
const JOBS_EACH = 8
const COMPLETE_AFTER_MS = 25

const argument = (await childArgument()) as WorkerArgument
const store = openStore(argument.storeUrl)
const deliver = createDelivery(argument)
const outcomes = createBatchWriter<Outcome>({
  maxBatch: 256,
  maxWaitMs: 5,
  maxRunning: 2,
  retryLimitMs: 20_000,
  write: createRecorder(store),
})
const runner = await run({
  noHandleSignals: true,
  taskList: {
    deliver: async (payload) => {
      const job = payload as DeliveryJob
      await outcomes.add({ job, attempt: await deliver(job) })
    },
  },
  preset: {
    worker: {
      connectionString: argument.storeUrl,
      concurrentJobs: JOBS_EACH * argument.connections,
      maxPoolSize: 25,
      localQueue: { size: 1_000 },
      completeJobBatchDelay: COMPLETE_AFTER_MS,
      failJobBatchDelay: COMPLETE_AFTER_MS,
      logger: QUIET,
    },
  },
})
runner.promise.catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
serveHeldWork((events) => events, createFeeder(argument.destinations, createAdd(store)))
