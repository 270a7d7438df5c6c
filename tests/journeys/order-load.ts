import { dataOf, type Answer, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { orderBody } from './platform.ts'

const RETRY_MS = 50

/** An order of which the answer was 201. Times are of `performance.now()`. */
export type Acknowledged = Readonly<{
  id: string
  reference: string
  /** Where it is to be paid. */
  address: string
  /** When it was sent for the first time, and for the last. */
  firstSentAtMs: number
  sentAtMs: number
  answeredAtMs: number
}>

/**
 * Workers that create orders one after the other until they are stopped.
 *
 * @param options.pauseMs between two orders of a worker; default none
 */
export const startOrderLoad = (
  api: RawClient,
  customer: string,
  count: number,
  options: Readonly<{ pauseMs?: number }> = {},
) => {
  const orders: Acknowledged[] = []
  /** The ids of {@link orders}. */
  const acknowledged: string[] = []
  /** How often each status was answered; 0: the connection was lost. */
  const statuses = new Map<number, number>()
  let isOver = false
  const createOrder = async (reference: string): Promise<void> => {
    const firstSentAtMs = performance.now()
    // The same key until it is answered: however often it is sent, it is one order.
    for (;;) {
      const sentAtMs = performance.now()
      const answer = await api
        .post(`${customer}/orders`, orderBody(reference), { 'idempotency-key': reference })
        .catch((): Answer | null => null)
      const status = answer?.status ?? 0
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 201 && answer !== null) {
        const { id, address } = dataOf<{ order: { id: string; address: string } }>(answer).order
        orders.push({ id, reference, address, firstSentAtMs, sentAtMs, answeredAtMs: performance.now() })
        acknowledged.push(id)
        return
      }
      if (isOver) return
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  const createOrders = async (worker: number) => {
    for (let number = 0; !isOver; number += 1) {
      await createOrder(`w${worker}-${number}`)
      if (options.pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, options.pauseMs))
    }
  }
  const workers = Array.from({ length: count }, (_, worker) => createOrders(worker))
  return {
    orders,
    acknowledged,
    statuses,
    stop: async () => {
      isOver = true
      await Promise.all(workers)
    },
  }
}
