import { newId } from '@causeway/chassis'
import { randomBytes } from 'node:crypto'
import type { Receiver } from '../load/receiver-process.ts'
import type { Measured } from '../measure/proc.ts'
import type { Contender } from '../measure/rounds.ts'
import type { Site } from '../parts/bench.ts'
import { startChild } from '../parts/child.ts'
import { newEventBody } from '../parts/event-body.ts'
import { FAN_OUT } from '../parts/product-fan-out.ts'
import type { DeliveryJob, DeliveryOptions } from './delivery.ts'

/** What puts jobs into a rival's queue, from the benchmark's own process. */
export type JobQueue = Readonly<{
  add: (jobs: readonly DeliveryJob[]) => Promise<void>
  /** Forgets the jobs of earlier rounds, where they would not be gone and would be in the way. */
  clear?: () => Promise<void>
  stop: () => Promise<void>
}>

/** A job queue whose tables or keys are ready, and the program that works on it. */
export type Rival = Readonly<{
  name: string
  worker: URL
  storeUrl: string
  store: Measured
  queue: JobQueue
}>

/** The argument of a rival's worker. */
export type WorkerArgument = DeliveryOptions & Readonly<{ storeUrl: string }>

/** Jobs that go into a queue by one call. */
const AT_ONCE = 1_000

const newDestinations = (): DeliveryOptions['destinations'] =>
  Array.from({ length: FAN_OUT.destinations }, () => ({
    id: newId('webhook'),
    secret: randomBytes(32).toString('hex'),
  }))

/** Measures as the product is measured: the worker is stopped by a signal while jobs go into its queue. */
export const startRival = async (
  { name, worker, storeUrl, store, queue }: Rival,
  receiver: Receiver,
  options: Readonly<{ events: number; withinMs: number }>,
  keep: Site['keep'],
): Promise<Contender> => {
  const { events, withinMs } = options
  const destinations = newDestinations()
  const argument: WorkerArgument = {
    storeUrl,
    url: receiver.url,
    connections: FAN_OUT.connections,
    destinations,
  }
  const { pid } = keep(await startChild(worker, argument))
  const newJob = (_: unknown, index: number): DeliveryJob => ({
    destinationId: destinations[index % destinations.length]?.id ?? '',
    body: newEventBody(),
  })
  return {
    name,
    processes: [{ name: 'worker', pid }, store, { name: 'receiver', pid: receiver.child.pid }],
    run: async () => {
      await receiver.reset()
      process.kill(pid, 'SIGSTOP')
      await queue.clear?.()
      const jobs = Array.from({ length: events }, newJob)
      for (let from = 0; from < events; from += AT_ONCE) await queue.add(jobs.slice(from, from + AT_ONCE))
      process.kill(pid, 'SIGCONT')
      const { seconds } = await receiver.until({ events, withinMs })
      return { done: events, seconds }
    },
  }
}
