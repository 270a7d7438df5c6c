import { cryptoOrders, VERSIONS_MAX, type CryptoOrder } from '@causeway/contracts'
import type { Ask } from '../screen.ts'

type OrderId = CryptoOrder['id']

/** Longest time in milliseconds until a change is noticed, beside the call itself. */
const EVERY_MS = 500

type Watcher = Readonly<{ onRead: (version: string) => void }>

/** Tells watchers the version of their order about twice a second. */
export type OrderWatch = Readonly<{
  /** @returns the function that stops watching */
  watch: (orderId: OrderId, onRead: Watcher['onRead']) => () => void
}>

const batchesOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

/**
 * Reads the versions of all orders that a payment page of this process shows: one call every 500 ms for 100 orders,
 * however many browsers look at them, and none while nobody does. A read that fails is repeated by the next one.
 * @param onFailure is told why a read failed
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
