import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, RawClient } from '@causeway/dev-env/platform/raw-client'
import { orderBody } from './platform.ts'

/** A request of the load: what was asked, the status (0: no answer), whether it is the right one, and how long it took. */
export type Answered = Readonly<{ request: string; status: number; isRight: boolean; ms: number }>
export type SteadyLoad = Readonly<{ answers: readonly Answered[]; stop: () => Promise<void> }>

const TICK_MS = 10

type Request = Readonly<{ name: string; send: () => Promise<Answer>; expected: number }>

/** One of each service; refunds and onramp say of an order that they have nothing of it. */
const requestsOf = (api: RawClient, customer: string): readonly Request[] => {
  let orders = 0
  const create = () => api.post(`${customer}/orders`, orderBody(`steady-${(orders += 1)}`))
  return [
    { name: 'create order', send: create, expected: 201 },
    { name: 'list orders', send: () => api.get(`${customer}/orders?limit=5`), expected: 200 },
    { name: 'get customer', send: () => api.get(customer), expected: 200 },
    { name: 'list webhooks', send: () => api.get('/api/v1/partner/webhooks'), expected: 200 },
    { name: 'list refunds', send: () => api.get('/api/v1/partner/fiat-orders/none/refunds'), expected: 404 },
    {
      name: 'get onramp order',
      send: () => api.get(`/api/v1/partner/orders/${NO_ORDER}/onramp`),
      expected: 404,
    },
  ]
}

const NO_ORDER = 'ord_01m88ddtrtq6evtzv3sjtcmfhv'

/**
 * Valid requests at a steady rate, whether or not those before are answered: a stall is then felt by all that come
 * during it.
 */
export const startSteadyLoad = (api: RawClient, customer: string, perSecond: number): SteadyLoad => {
  const answers: Answered[] = []
  const requests = requestsOf(api, customer)
  const ask = async ({ name, send, expected }: Request): Promise<void> => {
    const beganAtMs = performance.now()
    const status = (await send().catch(() => null))?.status ?? 0
    answers.push({ request: name, status, isRight: status === expected, ms: performance.now() - beganAtMs })
  }
  const ending = new AbortController()
  const running = (async () => {
    const under: Promise<void>[] = []
    const beganAtMs = performance.now()
    while (!ending.signal.aborted) {
      const due = (perSecond * (performance.now() - beganAtMs)) / 1_000
      while (under.length < due) under.push(...requests.map(ask))
      await delay(TICK_MS)
    }
    await Promise.all(under)
  })()
  return {
    answers,
    stop: async () => {
      ending.abort()
      await running
    },
  }
}
