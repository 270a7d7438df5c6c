import { cryptoOrders, VERSIONS_MAX, type CryptoOrder } from '@causeway/contracts'
import type { Ask } from '../screen.ts'

type OrderId = CryptoOrder['id']

/** Polling interval: a change is noticed within this time plus one call. */
const EVERY_MS = 500

type Watcher = Readonly<{ onRead: (version: string) => void }>

/** Notifies watchers of their order's version about twice a second. */
export type OrderWatch = Readonly<{
  /** @returns the function that stops watching */
  watch: (orderId: OrderId, onRead: Watcher['onRead']) => () => void
}>

const batchesOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

/**
 * Polls the versions of all orders shown by payment pages of this process: one call per 100 orders every 500 ms,
 * independent of the number of browsers, and none without browsers. The next poll retries a failed read.
 * @param onFailure called with the error of a failed read
 */
export const createOrderWatch = (ask: Ask, onFailure: (error: unknown) => void): OrderWatch => {
  const watchers = new Map<OrderId, Set<Watcher>>()
  let timer: NodeJS.Timeout | null = null

  const readBatch = async (orderIds: OrderId[]) => {
    const reply = await ask(cryptoOrders.listVersions, { body: { order_ids: orderIds } })
    if (!reply.ok) throw new Error(`The versions of orders were refused: ${reply.code}`)
    for (const { id, version } of reply.value.orders)
      for (const watcher of watchers.get(id) ?? []) watcher.onRead(version)
  }
  const readAll = async () => {
    const batches = batchesOf([...watchers.keys()], VERSIONS_MAX)
    await Promise.all(batches.map((batch) => readBatch(batch).catch(onFailure)))
    schedule()
  }
  const schedule = () => {
    timer = watchers.size === 0 ? null : setTimeout(() => void readAll(), EVERY_MS)
    timer?.unref()
  }

  return {
    watch(orderId, onRead) {
      const watcher = { onRead }
      const known = watchers.get(orderId) ?? new Set()
      known.add(watcher)
      watchers.set(orderId, known)
      if (timer === null) schedule()
      return () => {
        known.delete(watcher)
        if (known.size === 0 && watchers.get(orderId) === known) watchers.delete(orderId)
      }
    },
  }
}
