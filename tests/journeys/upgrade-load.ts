import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@causeway/chassis/testing'
import type { startReceiver } from '../../scripts/demo/receiver.ts'
import { dataOf, type Answer, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { newShop, orderBody } from './platform.ts'

const POLL_MS = 100
const MAX_POLLS = 600
const AMOUNT_CENTS = 10_000
const REFUND_CENTS = 4_000

export type ShopParties = Readonly<{
  api: RawClient
  sandbox: RawClient
  /** Path of a verified customer under the partner API. */
  customer: string
  integrationId: string
}>

/** An acknowledged errand: how to read it, and its events, such as `payment.pending of ord_1`, each once. */
type Made = Readonly<{ path: string; isRight: (data: never) => boolean; events: readonly string[] }>

type Ask = (what: string, expected: number, send: () => Promise<Answer>) => Promise<Answer>
type Errand = (parties: ShopParties, ask: Ask, mark: string) => Promise<Made>

const signUp: Errand = async ({ api }, ask) => {
  const answer = await ask('create customer', 201, () => api.post('/api/v1/partner/customers', newShop()))
  const { partner_customer_id: id } = dataOf<{ partner_customer_id: string }>(answer)
  return { path: `/api/v1/partner/customers/${id}`, isRight: () => true, events: [] }
}

/** A crypto order, paid on the chain. */
const payByCrypto: Errand = async ({ api, sandbox, customer }, ask, mark) => {
  const key = { 'idempotency-key': mark }
  const created = await ask('create order', 201, () => api.post(`${customer}/orders`, orderBody(mark), key))
  const { id } = dataOf<{ order: { id: string } }>(created).order
  await ask('list orders', 200, () => api.get(`${customer}/orders?limit=5`))
  dataOf(await sandbox.post('/control/deposits', { order_id: id }))
  return {
    path: `/api/v1/partner/orders/${id}`,
    isRight: ({ order }: { order: { status: string } }) => order.status === 'paid',
    events: ['payment.pending', 'payment.confirmed'].map((type) => `${type} of ${id}`),
  }
}

/** A card order, paid and refunded in part. */
const payByCard: Errand = async ({ api, sandbox, customer, integrationId }, ask, mark) => {
  const body = {
    integration_id: integrationId,
    amount_cents: AMOUNT_CENTS,
    currency: 'EUR',
    service_fee_payer: 'merchant',
  }
  const key = { 'idempotency-key': mark }
  const created = await ask('create card order', 201, () => api.post(`${customer}/fiat-orders`, body, key))
  const { order_key: id } = dataOf<{ order: { order_key: string } }>(created).order
  const path = `/api/v1/partner/fiat-orders/${id}`
  dataOf(await sandbox.post(`/control/card-payments/${id}`, { outcome: 'completed' }))
  const isPaid = async () => {
    const read = await ask('get card order', 200, () => api.get(path))
    return dataOf<{ order: { status: string } }>(read).order.status === 'paid'
  }
  for (let polls = 0; !(await isPaid()); polls += 1) {
    if (polls === MAX_POLLS) throw new Error(`card order ${id} is not paid in time`)
    await delay(POLL_MS)
  }
  await ask('refund', 201, () =>
    api.post(`${path}/refunds`, { amount_cents: REFUND_CENTS }, { 'idempotency-key': `${mark}-r` }),
  )
  return {
    path,
    isRight: ({ order }: { order: { status: string; refunded_cents: number } }) =>
      order.status === 'paid' && order.refunded_cents === REFUND_CENTS,
    events: ['payment.pending', 'payment.confirmed', 'refund.completed', 'payment.refunded'].map(
      (type) => `${type} of ${id}`,
    ),
  }
}

const ERRANDS = [signUp, payByCrypto, payByCard]

/** Returns the cause of a fetch error, which describes the connection. Errors of Node are no `Error` of jest's realm. */
const reasonOf = (error: unknown): string => {
  const { cause } = error as { cause?: unknown }
  return String(cause ?? error)
}

/** Results of the load: a failure is a request with an unexpected response. */
export type ShopLoad = ReturnType<typeof startShopLoad>

/**
 * Customers that sign up, orders that are paid by crypto and by card, and refunds, begun at a steady rate. Every request
 * is sent once: nothing hides a failure.
 */
export const startShopLoad = (parties: ShopParties, perSecond: number) => {
  const made: Made[] = []
  const failures: string[] = []
  const ending = new AbortController()
  let requests = 0
  let inFlight = 0
  let rest: PromiseWithResolvers<void> | null = null
  let phase = ''
  const ask: Ask = async (what, expected, send) => {
    while (rest !== null) await rest.promise
    requests += 1
    inFlight += 1
    const [begunIn, begunMs] = [phase, performance.now()]
    const fail = (reason: string, cause?: unknown) => {
      const ms = Math.round(performance.now() - begunMs)
      return new Error(`${phase}: ${what}, sent ${ms} ms before (${begunIn}): ${reason}`, { cause })
    }
    const answer = await send()
      .catch((error: unknown) => {
        throw fail(reasonOf(error), error)
      })
      .finally(() => {
        inFlight -= 1
      })
    if (answer.status === expected) return answer
    throw fail(`${answer.status} ${JSON.stringify(answer.body)}`)
  }
  const run = async () => {
    const begun: Promise<void>[] = []
    while (!ending.signal.aborted) {
      const number = begun.length
      const errand = ERRANDS[number % ERRANDS.length] ?? signUp
      const ended = errand(parties, ask, `shop-${number}`).then(
        (result) => void made.push(result),
        (error: unknown) => void failures.push((error as Error).message),
      )
      begun.push(ended)
      await delay(1_000 / perSecond)
    }
    await Promise.all(begun)
  }
  const running = run()
  return {
    made,
    failures,
    requests: () => requests,
    /** Names what happens from now on, for the messages of failures. */
    enter: (name: string) => {
      phase = name
    },
    /** Does this while no request is in flight; the next ones wait. */
    restDuring: async (work: () => void | Promise<void>) => {
      rest = Promise.withResolvers()
      try {
        await eventually(() => inFlight === 0)
        await work()
      } finally {
        rest.resolve()
        rest = null
      }
    },
    stop: async () => {
      ending.abort()
      await running
    },
  }
}

export type ShopLosses = Readonly<{
  /** Acknowledged, and not as it should be when it is read. */
  wrong: readonly string[]
  /** Events that have not arrived. */
  missing: readonly string[]
  /** Things of which two events tell. */
  doubled: readonly string[]
}>

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Waits until every event has arrived, two minutes at most, and compares what was acknowledged with what there is. */
export const findShopLosses = async (
  api: RawClient,
  { made }: ShopLoad,
  receiver: Receiver,
): Promise<ShopLosses> => {
  const expected = made.flatMap(({ events }) => events)
  /** Ids of the events by what they tell of. */
  const arrived = () => {
    const ids = new Map<string, Set<string>>()
    for (const { event } of receiver.deliveries) {
      const fact = `${event.event_type} of ${String(event.data['order_key'] ?? event.data['order_id'])}`
      ids.set(fact, (ids.get(fact) ?? new Set()).add(event.event_id))
    }
    return ids
  }
  const missing = (ids = arrived()) => expected.filter((fact) => !ids.has(fact))
  await eventually(() => missing().length === 0).catch(() => undefined)
  const wrong: string[] = []
  for (const { path, isRight } of made) {
    const answer = await api.get(path)
    if (answer.status !== 200 || !isRight(answer.body.data as never))
      wrong.push(`${path}: ${JSON.stringify(answer.body)}`)
  }
  const ids = arrived()
  return { wrong, missing: missing(ids), doubled: expected.filter((fact) => (ids.get(fact)?.size ?? 0) > 1) }
}
