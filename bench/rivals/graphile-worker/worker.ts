/**
 * The job on graphile-worker with what its page on performance advises for high throughput: a local queue, and
 * completions in batches. Attempts go through the product's own collector, many a statement.
 */
import { run } from 'graphile-worker'
import { createCollector } from '../../../services/webhooks/src/engine/collector.ts'
import { childArgument, serveParent } from '../../parts/child-main.ts'
import { createAttempts, type AttemptRow } from '../attempts.ts'
import type { WorkerArgument } from '../contender.ts'
import { createDelivery, type DeliveryJob } from '../delivery.ts'
import { QUIET } from './quiet.ts'

/** So many jobs a connection that none is idle while outcomes are written. */
const JOBS_EACH = 8
const COMPLETE_AFTER_MS = 25

const argument = (await childArgument()) as WorkerArgument
const deliver = createDelivery(argument)
const outcomes = createCollector<AttemptRow>({
  maxBatch: 256,
  maxWaitMs: 5,
  maxRunning: 2,
  patienceMs: 20_000,
  write: await createAttempts(argument.storeUrl),
})
const runner = await run({
  noHandleSignals: true,
  taskList: {
    deliver: async (payload, { job }) => {
      await outcomes.add({ jobId: job.id, attempt: await deliver(payload as DeliveryJob) })
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
serveParent('ready', () => Promise.resolve(null))
