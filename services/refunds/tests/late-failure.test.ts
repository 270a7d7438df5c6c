import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startForTests, type RunningRefunds } from './running-refunds.ts'

const body = { amount_cents: 2_500 }
const HOUR_MS = 3_600_000

let refunds: RunningRefunds
beforeAll(async () => {
  const reconciliation = { everyMs: 100, overlapMs: HOUR_MS, depthMs: 35 * 24 * HOUR_MS }
  refunds = await startForTests({ dailyLimitCents: 4_000, reconciliation })
})
afterAll(() => refunds.stop())

/** A refund that was made, and that its order counts. */
const madeRefund = async (key: string) => {
  const order = await refunds.newOrder()
  expect(await refunds.refund(order.partner, order.orderKey, body, key)).toMatchObject({ ok: true })
  const [made] = await refunds.atProcessor(order.processorOrderId)
  return { ...order, processorRefundId: String(made?.processorRefundId) }
}
const differencesOf = async (orderKey: string) =>
  (await refunds.readReconciliation({ limit: '100' })).differences.filter(
    (each) => each.order_key === orderKey,
  )
const untilFailed = (orderKey: string) =>
  eventually(async () => (await refunds.statesOf(orderKey))['failed'] === 1)

it('shows a refund that fails after it was made as failed, and its key returns the failure', async () => {
  const { partner, orderKey, processorRefundId } = await madeRefund('bounced')
  const { clock, payments } = refunds
  payments.noteFailure(processorRefundId)
  await refunds.failAtProcessor(orderKey, processorRefundId)
  await untilFailed(orderKey)
  expect(await refunds.refund(partner, orderKey, body, 'bounced')).toMatchObject({
    ok: false,
    code: 'provider_error',
  })
  const listed = await refunds.list(partner, orderKey)
  expect(listed.ok && listed.value.refunds.map(({ status }) => status)).toEqual(['failed'])
  const at = listed.ok && listed.value.refunds[0]?.completed_at
  expect(Math.abs(new Date(String(at)).getTime() - clock.nowMs())).toBeLessThan(HOUR_MS)
  expect(await refunds.eventsOf(orderKey)).toHaveLength(1)
  await eventually(async () => (await differencesOf(orderKey)).length === 0)
})

it("stops counting a refund that failed late towards its client's daily limit", async () => {
  const { partner, orderKey, processorRefundId } = await madeRefund('of the limit')
  expect(await refunds.refund(partner, orderKey, { amount_cents: 1_501 })).toMatchObject({
    code: 'limit_reached',
  })
  refunds.payments.noteFailure(processorRefundId)
  await refunds.failAtProcessor(orderKey, processorRefundId)
  await untilFailed(orderKey)
  expect(await refunds.refund(partner, orderKey, { amount_cents: 4_000 })).toMatchObject({ ok: true })
})

it('lists a late failure as a difference while its order counts it', async () => {
  const { orderKey, processorRefundId } = await madeRefund('still counted')
  await refunds.failAtProcessor(orderKey, processorRefundId)
  const [found] = await eventually(async () => {
    const differences = await differencesOf(orderKey)
    return differences.length > 0 && differences
  })
  expect(found).toMatchObject({
    kind: 'other_state',
    here: { status: 'succeeded' },
    at_processor: { status: 'failed' },
  })
  expect(await refunds.statesOf(orderKey)).toEqual({ reconciled: 1 })
  refunds.payments.noteFailure(processorRefundId)
  await untilFailed(orderKey)
  await eventually(async () => (await differencesOf(orderKey)).length === 0)
})

it('fails an external refund that failed late as well', async () => {
  const { orderKey, processorOrderId } = await refunds.newOrder()
  await refunds.refundElsewhere(orderKey, 700)
  await eventually(async () => (await refunds.statesOf(orderKey))['reconciled'] === 1)
  const [made] = await refunds.atProcessor(processorOrderId)
  const processorRefundId = String(made?.processorRefundId)
  refunds.payments.noteFailure(processorRefundId)
  await refunds.failAtProcessor(orderKey, processorRefundId)
  await untilFailed(orderKey)
})
