/**
 * The job on BullMQ with as many jobs at a time as its page on concurrency advises for work that waits (100 to 300).
 * The outcome is the job's return value, kept with the completed job.
 */
import { Worker } from 'bullmq'
import { childArgument, serveParent } from '../../parts/child-main.ts'
import type { WorkerArgument } from '../contender.ts'
import { createDelivery, type DeliveryJob } from '../delivery.ts'
import { QUEUE } from './queue.ts'

const CONCURRENCY = 100

const argument = (await childArgument()) as WorkerArgument
const deliver = createDelivery(argument)
const worker = new Worker<DeliveryJob>(QUEUE, ({ data }) => deliver(data), {
  connection: { url: argument.storeUrl, maxRetriesPerRequest: null },
  concurrency: CONCURRENCY,
})
worker.on('error', console.error)
await worker.waitUntilReady()
serveParent('ready', () => Promise.resolve(null))
