/**
 * The job on BullMQ with as many jobs at a time as its page on concurrency advises for work that waits (100 to 300).
 * Redis is its only store: the completed job is the record, its data the event with its body, its return value the
 * attempt. An event that comes again is the same job by its id.
 */
import { Queue, Worker } from 'bullmq'
import { childArgument } from '../../parts/child-main.ts'
import { serveHeldWork } from '../../parts/held-work.ts'
import type { WorkerArgument } from '../contender.ts'
import { createDelivery, type DeliveryJob } from '../delivery.ts'
import { createFeeder } from '../feeder.ts'
import { QUEUE } from './queue.ts'

const CONCURRENCY = 100

const argument = (await childArgument()) as WorkerArgument
const connection = { url: argument.storeUrl, maxRetriesPerRequest: null }
const deliver = createDelivery(argument)
const queue = new Queue<DeliveryJob>(QUEUE, { connection })
const worker = new Worker<DeliveryJob>(QUEUE, ({ data }) => deliver(data), {
  connection,
  concurrency: CONCURRENCY,
})
queue.on('error', console.error)
worker.on('error', console.error)
await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()])
const feed = createFeeder(argument.destinations, ({ jobs }) =>
  queue.addBulk(
    jobs.map((data) => ({
      name: 'deliver',
      data,
      opts: { jobId: `${data.eventId}-${data.destinationId}` },
    })),
  ),
)
serveHeldWork((events) => events, feed)
