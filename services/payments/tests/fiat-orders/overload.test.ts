import { eventually } from '@causeway/chassis/testing'
import { fiatOrders } from '@causeway/contracts'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const REFUSED = { ok: false, code: 'temporarily_unavailable' }
/** The processor's timeout and the rest of a creation, at the tests' factor of 20. */
const TAKES_MS = 75_000

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

it('starts as many card orders as it has connections to the processor, and finishes those that it starts', async () => {
  const { connections } = payments.config.cards
  const { partner, customerId, integrationId } = await fiat.newShop()
  const body = { integration_id: integrationId, amount_cents: 10_000, currency: 'EUR' }
  const create = (key: string, more: { timeoutMs?: number } = {}) =>
    payments.ask(fiatOrders.create, partner, { params: { customerId }, body, idempotencyKey: key, ...more })
  const createMany = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => create(`${name}-${index}`))
  let answered = 0

  const release = payments.cards.holdOpenings()
  const begun = createMany('begun', connections)
  await eventually(() => payments.cards.arrived() === connections)
  expect(await create('late', { timeoutMs: TAKES_MS + 500 })).toEqual(REFUSED)
  const waiting = createMany('waiting', 4 * connections)
  for (const call of [...begun, ...waiting]) void call.finally(() => (answered += 1))
  expect(await create('one more')).toEqual(REFUSED)
  expect({ answered, arrived: payments.cards.arrived() }).toEqual({ answered: 0, arrived: connections })

  release()
  const ends = await Promise.all([...begun, ...waiting])
  expect(ends.map(({ ok }) => ok)).toEqual(ends.map(() => true))
  const [late, more] = [await create('late'), await create('one more')]
  expect([late, more]).toMatchObject([{ ok: true }, { ok: true }])
  expect(payments.cards.opened()).toBe(5 * connections + 2)
})
