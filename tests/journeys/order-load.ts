import { dataOf, type Answer, type RawClient } from '../../scripts/platform/raw-client.ts'
import { orderBody } from './platform.ts'

const RETRY_MS = 50

/** Workers that create orders one after the other until they are stopped. */
export const startOrderLoad = (api: RawClient, customer: string, count: number) => {
  /** The orders of which the answer was 201. */
  const acknowledged: string[] = []
  /** How often each status was answered; 0: the connection was lost. */
  const statuses = new Map<number, number>()
  let isOver = false
  const createOrder = async (reference: string): Promise<void> => {
    // The same key until it is answered: however often it is sent, it is one order.
    for (;;) {
      const answer = await api
        .post(`${customer}/orders`, orderBody(reference), { 'idempotency-key': reference })
        .catch((): Answer | null => null)
      const status = answer?.status ?? 0
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 201 && answer !== null) {
        acknowledged.push(dataOf<{ order: { id: string } }>(answer).order.id)
        return
      }
      if (isOver) return
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
  const createOrders = async (worker: number) => {
    for (let number = 0; !isOver; number += 1) await createOrder(`w${worker}-${number}`)
  }
  const workers = Array.from({ length: count }, (_, worker) => createOrders(worker))
  return {
    acknowledged,
    statuses,
    stop: async () => {
      isOver = true
      await Promise.all(workers)
    },
  }
}
