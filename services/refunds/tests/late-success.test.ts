import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { eventually, TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import { startDelayingProxy } from './delaying-proxy.ts'
import { startForTests, type RunningRefunds } from './running-refunds.ts'

const body = { amount_cents: 2_500 }

let proxy: Awaited<ReturnType<typeof startDelayingProxy>>
let refunds: RunningRefunds
beforeAll(async () => {
  proxy = await startDelayingProxy()
  const cards = { connections: 16, accounts: { sandbox: { baseUrl: proxy.url, secret: null } } }
  const reconciliation = { everyMs: 100, overlapMs: 3_600_000, depthMs: 35 * 86_400_000 }
  refunds = await startForTests({ cards, reconciliation })
  proxy.forwardTo(refunds.cardUrl)
})
afterEach(() => refunds.fault('ok'))
afterAll(async () => {
  await refunds.stop()
  await proxy.stop()
})

it('does not fail a refund that the completion job sends again while its call still reads the list', async () => {
  const { partner, orderKey, processorOrderId } = await refunds.newOrder()
  await refunds.fault('error', 1)
  const reading = proxy.hold('list')
  const answer = refunds.refund(partner, orderKey, body, 'raced')
  await reading.reached
  // The processor has answered 500. The call reads whether it made the refund; the completion job claims it meanwhile.
  const askingAgain = proxy.hold('refund')
  await askingAgain.reached
  reading.release()
  expect(await answer).toEqual({ ok: false, code: 'internal_error' })
  askingAgain.release()
  await eventually(async () => (await refunds.statesOf(orderKey))['reconciled'] === 1)
  expect(await refunds.refund(partner, orderKey, body, 'raced')).toMatchObject({
    ok: true,
    value: { refund: { amount_cents: 2_500 }, refunded_cents: 2_500 },
  })
  expect(await refunds.atProcessor(processorOrderId)).toHaveLength(1)
  expect(refunds.payments.countedCents(orderKey)).toBe(2_500)
  expect(await refunds.eventsOf(orderKey)).toHaveLength(1)
})

it('does not withdraw a refund that the completion job sends again while its call is throttled', async () => {
  const { partner, orderKey, processorOrderId } = await refunds.newOrder()
  const asking = proxy.hold('refund', 429)
  const answer = refunds.refund(partner, orderKey, body, 'throttled')
  await asking.reached
  const askingAgain = proxy.hold('refund')
  // The call is stalled for so long that it is taken for dead.
  refunds.clock.advance(60_000 * TEST_TIMEOUT_FACTOR)
  await askingAgain.reached
  asking.release()
  expect(await answer).toEqual({ ok: false, code: 'internal_error' })
  askingAgain.release()
  await eventually(async () => (await refunds.statesOf(orderKey))['reconciled'] === 1)
  expect(await refunds.refund(partner, orderKey, body, 'throttled')).toMatchObject({ ok: true })
  expect(await refunds.atProcessor(processorOrderId)).toHaveLength(1)
})

/** A refund that was answered 502, for its processor had failed and did not have it. */
const failedRefund = async (key: string) => {
  const order = await refunds.newOrder()
  await refunds.fault('error', 1)
  expect(await refunds.refund(order.partner, order.orderKey, body, key)).toEqual({
    ok: false,
    code: 'provider_error',
  })
  expect(await refunds.statesOf(order.orderKey)).toEqual({ failed: 1 })
  const listed = await refunds.list(order.partner, order.orderKey)
  const refundId = (listed.ok && listed.value.refunds[0]?.refund_id) || ''
  /** Completes the refund that the processor had started. */
  const makeLate = () => refunds.makeAtProcessor(order.processorOrderId, refundId, body.amount_cents)
  return { ...order, refundId, makeLate }
}
const differencesOf = async (orderKey: string) =>
  (await refunds.readReconciliation({ limit: '100' })).differences.filter(
    (each) => each.order_key === orderKey,
  )

it('counts a late success once, emits one event, and its key returns it', async () => {
  const { partner, orderKey, refundId, makeLate } = await failedRefund('late')
  const made = await makeLate()
  await eventually(async () => (await refunds.statesOf(orderKey))['reconciled'] === 1)
  expect(refunds.payments.reconciled).toContain(made?.processorRefundId)
  expect(await refunds.refund(partner, orderKey, body, 'late')).toMatchObject({
    ok: true,
    value: { refund: { amount_cents: 2_500, status: 'partially_refunded' }, refunded_cents: 2_500 },
  })
  const listed = await refunds.list(partner, orderKey)
  expect(listed.ok && listed.value.refunds).toMatchObject([
    { refund_id: refundId, status: 'succeeded', source: 'api', completed_at: made?.createdAt.toISOString() },
  ])
  const over = await refunds.refund(partner, orderKey, { amount_cents: 7_501 })
  expect(over).toMatchObject({
    code: 'amount_exceeds_remaining',
    details: [{ remaining_refundable_cents: 7_500 }],
  })
  await aWholeRun()
  expect(await differencesOf(orderKey)).toEqual([])
  expect((await refunds.eventsOf(orderKey)).map(({ partners }) => partners[0]?.data['refund_id'])).toEqual([
    refundId,
  ])
})

it('records a late success while another refund of its order is in progress, without a slot', async () => {
  const { partner, orderKey, refundId, makeLate } = await failedRefund('late too')
  const asking = proxy.hold('refund')
  const fresh = refunds.refund(partner, orderKey, body, 'fresh')
  await asking.reached
  await makeLate()
  await eventually(async () => {
    const listed = await refunds.list(partner, orderKey)
    return (
      listed.ok && listed.value.refunds.find(({ refund_id: id }) => id === refundId)?.status === 'succeeded'
    )
  })
  asking.release()
  await fresh
  await eventually(async () => (await refunds.statesOf(orderKey))['reconciled'] === 2)
  expect(await refunds.eventsOf(orderKey)).toHaveLength(2)
})

it('lists a late success as a difference while its order does not count it, and emits no event', async () => {
  const { orderKey, makeLate } = await failedRefund('uncounted')
  refunds.payments.change(orderKey, { status: 'pending' })
  await makeLate()
  const [found] = await eventually(async () => {
    const differences = await differencesOf(orderKey)
    return differences.length > 0 && differences
  })
  expect(found).toMatchObject({
    kind: 'other_state',
    here: { status: 'failed' },
    at_processor: { status: 'succeeded' },
  })
  expect(await refunds.eventsOf(orderKey)).toEqual([])
  refunds.payments.change(orderKey, { status: 'paid' })
  await eventually(async () => (await differencesOf(orderKey)).length === 0)
  expect(await refunds.statesOf(orderKey)).toEqual({ reconciled: 1 })
  expect(await refunds.eventsOf(orderKey)).toHaveLength(1)
})

/** A whole run that began after now is over. */
const aWholeRun = async () => {
  const askedAt = refunds.clock.now().toISOString()
  await eventually(async () => {
    const { processors } = await refunds.readReconciliation()
    return processors.every(({ last_run: run }) => run !== null && run.started_at > askedAt)
  })
}
