import { createBulkhead, type ServiceContext } from '@causeway/chassis'

/** Duration of a creation without its processor's call, in a replica that is not overloaded. */
const OWN_WORK_MS = 250
/** How many creations wait for each that runs. In a replica that makes 200 a second, the last of them waits 1.3 s. */
const WAITING_PER_CONNECTION = 4

/**
 * A replica begins no more creations than it has connections to a processor: one more would wait for its call with its
 * order recorded, and end as a 500. It waits before it begins instead, as long as its call can still be finished before
 * the deadline, and is then refused with nothing done.
 */
export const createEntrance = (
  { clock, timeoutFactor }: Pick<ServiceContext, 'clock' | 'timeoutFactor'>,
  { connections, processorTimeoutMs }: Readonly<{ connections: number; processorTimeoutMs: number }>,
) => {
  const bulkhead = createBulkhead({ places: connections, maxWaiting: connections * WAITING_PER_CONNECTION })
  const takesMs = processorTimeoutMs + OWN_WORK_MS * timeoutFactor
  return <T>({ deadlineMs }: Readonly<{ deadlineMs: number }>, create: () => Promise<T>) =>
    bulkhead.run(deadlineMs - clock.outsideMs() - takesMs, create)
}
