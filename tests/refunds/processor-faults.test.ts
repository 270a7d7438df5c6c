import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ServiceProcess } from './service-process.ts'
import { MAX_REFUNDABLE_CENTS, startFixture, type PaidOrder, type Fixture } from './fixture.ts'

const MINUTE_MS = 60_000
const LONG_WAIT = { withinMs: 120_000 }

let fixture: Fixture
let service: ServiceProcess
beforeAll(async () => {
  fixture = await startFixture(1)
  service = fixture.load('refunds')
  await service.start()
})
afterAll(() => fixture.stop())

const statesOf = async (...orders: readonly PaidOrder[]): Promise<string[]> =>
  (await fixture.observed.refunds())
    .filter(({ orderKey }) => orders.some((order) => order.orderKey === orderKey))
    .map(({ state }) => state)

/** Waits until the orders' refunds are in this final state, and every event is on the stream. */
const settled = (state: 'reconciled' | 'failed', ...orders: readonly PaidOrder[]) =>
  eventually(async () => {
    fixture.advance(MINUTE_MS)
    expect(await statesOf(...orders)).toEqual(orders.map(() => state))
    return fixture.observed.isRelayed()
  }, LONG_WAIT)

/** The order in every place: cents at the processor, in refunds and at the order, and the number of events. */
const stateOf = async ({ orderKey }: PaidOrder) => {
  const { made, refunds, order, completed, refunded } = (await fixture.observed.readAll())(orderKey)
  return {
    made: made.map((refund) => refund.amount_cents),
    refunds: refunds.map(({ amountCents }) => amountCents),
    order: [order?.status, order?.refundedCents, order?.chargebackCents],
    events: [completed.length, refunded],
  }
}
const once = { made: [2_500], refunds: [2_500], order: ['paid', 2_500, 0], events: [1, 1] }
const refund = ({ orderKey }: PaidOrder, key: string) => fixture.refund(orderKey, 2_500, `${key}-${orderKey}`)
/** Requests until the refund was sent: repeated when a busy machine does not read the payment in time. */
const send = (order: PaidOrder, key: string) =>
  eventually(async () => {
    const answer = await refund(order, key)
    return (answer.ok || answer.code !== 'temporarily_unavailable') && answer
  }, LONG_WAIT)

test('makes one refund with a late processor, and answers 201 to a caller that waits and 500 to one that does not', async () => {
  const [patient, impatient] = [await fixture.newOrder(), await fixture.newOrder()]
  for (const { paymentId } of [patient, impatient]) fixture.proxy.inject(paymentId, 'refund', ['wait'])
  const waited = send(patient, 'late')
  await eventually(() => fixture.proxy.waiting() === 1, LONG_WAIT)
  fixture.proxy.release()
  // A busy machine may answer 503: then the key answers it.
  await eventually(async () => ((await waited).ok ? true : (await refund(patient, 'late')).ok), LONG_WAIT)
  expect(await send(impatient, 'late')).toEqual({ ok: false, code: 'internal_error' })
  fixture.proxy.release()
  await settled('reconciled', patient, impatient)
  for (const order of [patient, impatient]) {
    expect(await refund(order, 'late')).toMatchObject({ ok: true, value: { refunded_cents: 2_500 } })
    expect(await stateOf(order)).toEqual(once)
  }
})

test('counts a refund once when the processor answers twice and sends three notices, and makes the next one', async () => {
  const order = await fixture.newOrder()
  await fixture.control('/card-notices', { copies: 3 }, 'PUT')
  fixture.proxy.inject(order.paymentId, 'refund', ['double'])
  await eventually(async () => (await refund(order, 'first')).ok, LONG_WAIT)
  await eventually(async () => (await refund(order, 'second')).ok, LONG_WAIT)
  await fixture.control('/card-notices', { copies: 1 }, 'PUT')
  await settled('reconciled', order, order)
  expect(await stateOf(order)).toEqual({
    made: [2_500, 2_500],
    refunds: [2_500, 2_500],
    order: ['paid', 5_000, 0],
    events: [2, 2],
  })
})

test('loses and repeats nothing while a processor is down for an hour, and drains the queue afterwards', async () => {
  const begun = await Promise.all(Array.from({ length: 8 }, () => fixture.newOrder()))
  const unread = await fixture.newOrder()
  for (const [index, { paymentId }] of begun.entries()) {
    fixture.proxy.inject(paymentId, 'refund', [index % 2 === 0 ? 'lose_answer' : 'lose_request'])
    // Nothing resolves it before the processor is down.
    fixture.proxy.inject(paymentId, 'list', Array(200).fill('fail'))
  }
  const lost = { ok: false, code: 'internal_error' }
  for (const answer of await Promise.all(begun.map((order) => send(order, 'down'))))
    expect(answer).toEqual(lost)
  fixture.proxy.setDown(true)
  for (const { paymentId } of begun) fixture.proxy.inject(paymentId, 'list', [])
  for (let minute = 0; minute < 60; minute += 1) fixture.advance(MINUTE_MS)
  for (const order of begun) expect(await send(order, 'down')).toEqual(lost)
  expect(await refund(unread, 'down')).toEqual({ ok: false, code: 'temporarily_unavailable' })
  expect((await statesOf(...begun)).every((state) => state === 'unknown')).toBe(true)

  fixture.proxy.setDown(false)
  await settled('reconciled', ...begun)
  for (const order of begun) expect(await stateOf(order)).toEqual(once)
  expect(await stateOf(unread)).toMatchObject({ made: [], refunds: [], order: ['paid', 0, 0] })
})

test('charges the order back in a dispute between the refund and its answer, and counts no cents twice', async () => {
  const order = await fixture.newOrder()
  fixture.proxy.inject(order.paymentId, 'refund', ['wait'])
  const asked = send(order, 'made')
  await eventually(() => fixture.proxy.waiting() === 1, LONG_WAIT)
  await fixture.control(`/chargebacks/${order.orderKey}`, {})
  await eventually(
    async () => (await fixture.observed.order(order.orderKey))?.status === 'chargeback',
    LONG_WAIT,
  )
  fixture.proxy.release()
  await asked
  await settled('reconciled', order)
  expect(await refund(order, 'made')).toMatchObject({ ok: true })
  expect(await stateOf(order)).toMatchObject({
    made: [2_500],
    order: ['chargeback', 0, MAX_REFUNDABLE_CENTS],
  })
})

test('refunds nothing when a dispute arrives between a lost request and its repetition, which the processor refuses', async () => {
  const order = await fixture.newOrder()
  fixture.proxy.inject(order.paymentId, 'refund', Array(200).fill('lose_request'))
  expect(await send(order, 'lost')).toEqual({ ok: false, code: 'internal_error' })
  await fixture.control(`/chargebacks/${order.orderKey}`, {})
  await eventually(
    async () => (await fixture.observed.order(order.orderKey))?.status === 'chargeback',
    LONG_WAIT,
  )
  fixture.proxy.inject(order.paymentId, 'refund', [])
  await settled('failed', order)
  expect(await refund(order, 'lost')).toMatchObject({ ok: false, code: 'provider_error' })
  expect(await stateOf(order)).toMatchObject({
    made: [],
    order: ['chargeback', 0, MAX_REFUNDABLE_CENTS],
    events: [0, 0],
  })
})
