import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ServiceProcess } from './service-process.ts'
import { MAX_REFUNDABLE_CENTS, startWorld, type PaidOrder, type World } from './world.ts'

const MINUTE_MS = 60_000
const PATIENCE = { withinMs: 120_000 }

let world: World
let service: ServiceProcess
beforeAll(async () => {
  world = await startWorld()
  service = world.load('refunds')
  await service.start()
})
afterAll(() => world.stop(), 60_000)

const statesOf = async (...orders: readonly PaidOrder[]): Promise<string[]> =>
  (await world.books.refunds())
    .filter(({ orderKey }) => orders.some((order) => order.orderKey === orderKey))
    .map(({ state }) => state)

/** Waits for this end of the orders' refunds, whoever brings it; then for every event. */
const settled = (state: 'reconciled' | 'failed', ...orders: readonly PaidOrder[]) =>
  eventually(async () => {
    world.advance(MINUTE_MS)
    expect(await statesOf(...orders)).toEqual(orders.map(() => state))
    return world.books.isRelayed()
  }, PATIENCE)

/** What the order's books say: cents at the processor, in refunds' and in the order, and the events of each kind. */
const booksOf = async ({ orderKey }: PaidOrder) => {
  const { made, refunds, order, completed, refunded } = (await world.books.readAll())(orderKey)
  return {
    made: made.map((refund) => refund.amount_cents),
    refunds: refunds.map(({ amountCents }) => amountCents),
    order: [order?.status, order?.refundedCents, order?.chargebackCents],
    events: [completed.length, refunded],
  }
}
const once = { made: [2_500], refunds: [2_500], order: ['paid', 2_500, 0], events: [1, 1] }
const refund = ({ orderKey }: PaidOrder, key: string) => world.refund(orderKey, 2_500, `${key}-${orderKey}`)
/** Asks until the refund was sent: a machine that is too busy to read the payment in time is asked again. */
const send = (order: PaidOrder, key: string) =>
  eventually(async () => {
    const answer = await refund(order, key)
    return (answer.ok || answer.code !== 'temporarily_unavailable') && answer
  }, PATIENCE)

test('a processor that answers late: 201 to who waits, 500 to who cannot; one refund, and the key reads it', async () => {
  const [patient, impatient] = [await world.newOrder(), await world.newOrder()]
  for (const { paymentId } of [patient, impatient]) world.front.behave(paymentId, 'refund', ['wait'])
  const waited = send(patient, 'late')
  await eventually(() => world.front.waiting() === 1, PATIENCE)
  world.front.release()
  // It may be told to ask again by a machine that is too busy: then the key reads it.
  await eventually(async () => ((await waited).ok ? true : (await refund(patient, 'late')).ok), PATIENCE)
  expect(await send(impatient, 'late')).toEqual({ ok: false, code: 'internal_error' })
  world.front.release()
  await settled('reconciled', patient, impatient)
  for (const order of [patient, impatient]) {
    expect(await refund(order, 'late')).toMatchObject({ ok: true, value: { refunded_cents: 2_500 } })
    expect(await booksOf(order)).toEqual(once)
  }
})

test('a processor that answers twice and tells three times: counted once, and the next refund is well', async () => {
  const order = await world.newOrder()
  await world.control('/card-notices', { copies: 3 }, 'PUT')
  world.front.behave(order.paymentId, 'refund', ['double'])
  await eventually(async () => (await refund(order, 'first')).ok, PATIENCE)
  await eventually(async () => (await refund(order, 'second')).ok, PATIENCE)
  await world.control('/card-notices', { copies: 1 }, 'PUT')
  await settled('reconciled', order, order)
  expect(await booksOf(order)).toEqual({
    made: [2_500, 2_500],
    refunds: [2_500, 2_500],
    order: ['paid', 5_000, 0],
    events: [2, 2],
  })
})

test('a processor that is down for an hour: nothing is lost or done twice, and the queue drains by itself', async () => {
  const begun = await Promise.all(Array.from({ length: 8 }, () => world.newOrder()))
  const unread = await world.newOrder()
  for (const [index, { paymentId }] of begun.entries()) {
    world.front.behave(paymentId, 'refund', [index % 2 === 0 ? 'lose_answer' : 'lose_request'])
    // Nobody finds out what became of it before the processor is down.
    world.front.behave(paymentId, 'list', Array(200).fill('fail'))
  }
  const lost = { ok: false, code: 'internal_error' }
  for (const answer of await Promise.all(begun.map((order) => send(order, 'down'))))
    expect(answer).toEqual(lost)
  world.front.setDown(true)
  for (const { paymentId } of begun) world.front.behave(paymentId, 'list', [])
  for (let minute = 0; minute < 60; minute += 1) world.advance(MINUTE_MS)
  for (const order of begun) expect(await send(order, 'down')).toEqual(lost)
  expect(await refund(unread, 'down')).toEqual({ ok: false, code: 'temporarily_unavailable' })
  expect((await statesOf(...begun)).every((state) => state === 'unknown')).toBe(true)

  world.front.setDown(false)
  await settled('reconciled', ...begun)
  for (const order of begun) expect(await booksOf(order)).toEqual(once)
  expect(await booksOf(unread)).toMatchObject({ made: [], refunds: [], order: ['paid', 0, 0] })
})

test('a dispute between the refund and its answer: the order is charged back, and no cents count twice', async () => {
  const order = await world.newOrder()
  world.front.behave(order.paymentId, 'refund', ['wait'])
  const asked = send(order, 'made')
  await eventually(() => world.front.waiting() === 1, PATIENCE)
  await world.control(`/chargebacks/${order.orderKey}`, {})
  await eventually(async () => (await world.books.order(order.orderKey))?.status === 'chargeback', PATIENCE)
  world.front.release()
  await asked
  await settled('reconciled', order)
  expect(await refund(order, 'made')).toMatchObject({ ok: true })
  expect(await booksOf(order)).toMatchObject({
    made: [2_500],
    order: ['chargeback', 0, MAX_REFUNDABLE_CENTS],
  })
})

test('a dispute between a lost request and its repetition: the processor refuses, and nothing was refunded', async () => {
  const order = await world.newOrder()
  world.front.behave(order.paymentId, 'refund', Array(200).fill('lose_request'))
  expect(await send(order, 'lost')).toEqual({ ok: false, code: 'internal_error' })
  await world.control(`/chargebacks/${order.orderKey}`, {})
  await eventually(async () => (await world.books.order(order.orderKey))?.status === 'chargeback', PATIENCE)
  world.front.behave(order.paymentId, 'refund', [])
  await settled('failed', order)
  expect(await refund(order, 'lost')).toMatchObject({ ok: false, code: 'provider_error' })
  expect(await booksOf(order)).toMatchObject({
    made: [],
    order: ['chargeback', 0, MAX_REFUNDABLE_CENTS],
    events: [0, 0],
  })
})
