import { eventually } from '@causeway/chassis/testing'
import type { startReceiver } from '../../scripts/demo/receiver.ts'
import { dataOf, type RawClient } from '@causeway/dev-env/platform/raw-client'
import type { startOrderLoad } from './order-load.ts'

/** Statuses allowed during a fault: nothing was done, or the outcome is unknown (decisions §1). */
const DOCUMENTED = new Set([0, 201, 500, 503])

/** Losses under a load; every list is empty without one. */
export type Losses = Readonly<{
  /** Acknowledged orders that do not exist. */
  lost: readonly string[]
  /** References of which there are two orders. */
  doubled: readonly string[]
  /** Orders whose event has not arrived. */
  undelivered: readonly string[]
  /** Statuses that are not documented for a fault. */
  undocumented: readonly number[]
}>

export const NO_LOSSES: Losses = { lost: [], doubled: [], undelivered: [], undocumented: [] }

type Order = Readonly<{ id: string; reference: string }>

/** All orders of a customer. */
export const ordersOf = async (api: RawClient, customer: string): Promise<Order[]> => {
  const orders: Order[] = []
  let cursor: string | null = null
  do {
    const page: string = cursor === null ? '' : `&before=${cursor}`
    const answer = await api.get(`${customer}/orders?limit=100${page}`)
    const data = dataOf<{ orders: Order[]; next_cursor: string | null }>(answer)
    orders.push(...data.orders)
    cursor = data.next_cursor
  } while (cursor !== null)
  return orders
}

type Loaded = Readonly<{
  baseUrl: string
  api: RawClient
  customer: string
  load: ReturnType<typeof startOrderLoad>
  receiver: Awaited<ReturnType<typeof startReceiver>>
}>

/**
 * Waits until the platform is ready and every event has arrived, two minutes at most, and compares what a load was
 * answered with what there is. The load is over.
 */
export const findLosses = async ({ baseUrl, api, customer, load, receiver }: Loaded): Promise<Losses> => {
  await eventually(async () => (await fetch(`${baseUrl}/readyz`)).status === 200)
  const orders = await eventually(() => ordersOf(api, customer))
  const undelivered = () => {
    const arrived = new Set(receiver.deliveries.map(({ event }) => event.data['order_id']))
    return orders.map(({ id }) => id).filter((id) => !arrived.has(id))
  }
  await eventually(() => undelivered().length === 0).catch(() => undefined)
  const ids = new Set(orders.map(({ id }) => id))
  const references = new Set<string>()
  return {
    lost: load.acknowledged.filter((id) => !ids.has(id)),
    doubled: orders
      .map(({ reference }) => reference)
      .filter((each) => references.size === references.add(each).size),
    undelivered: undelivered(),
    undocumented: [...load.statuses.keys()].filter((status) => !DOCUMENTED.has(status)),
  }
}
