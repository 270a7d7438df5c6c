import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId, queryOne } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { z } from 'zod'
import { newPartner, startForTests, type RunningRefunds } from './running-refunds.ts'

const countEvents = queryOne({
  name: 'test.count-events',
  parameters: { orderId: 'text' },
  text: "SELECT count(*)::int AS count FROM outbox_events WHERE payload LIKE '%' || :orderId || '%'",
  row: z.object({ count: z.number() }),
})

let refunds: RunningRefunds
beforeAll(async () => {
  const reconciliation = { everyMs: 100, overlapMs: 3_600_000, depthMs: 35 * 86_400_000 }
  refunds = await startForTests({ reconciliation })
  await refunds.startReplica()
})
afterAll(() => refunds.stop())

type Order = Awaited<ReturnType<RunningRefunds['newOrder']>>

const listOf = async ({ partner, orderKey }: Pick<Order, 'partner' | 'orderKey'>) => {
  const listed = await refunds.list(partner, orderKey)
  if (!listed.ok) throw new Error(listed.code)
  return listed.value.refunds
}
const recorded = (order: Order, count = 1) =>
  eventually(async () => {
    const listed = await listOf(order)
    return listed.length === count && listed
  })
/** A whole run that began after now is over. */
const nextRun = async (processor = 'processor') => {
  const askedAt = refunds.clock.now().toISOString()
  await eventually(async () => {
    const { processors } = await refunds.readReconciliation()
    const run = processors.find((each) => each.processor === processor)?.last_run
    return run !== null && run !== undefined && run.started_at > askedAt
  })
}
const madeOutside = async (order: Order, cents: number) => {
  await refunds.refundElsewhere(order.orderKey, cents)
  const made = (await refunds.atProcessor(order.processorOrderId)).at(-1)
  if (!made) throw new Error('Not made')
  return made
}
const asCounted = (order: Order, made: Awaited<ReturnType<typeof madeOutside>>) => ({
  partner_id: order.partner.partnerId,
  partner_customer_id: newId('relationship'),
  partner_sees: true,
  order_id: order.orderId,
  order_key: order.orderKey,
  processor: 'processor',
  processor_order_id: order.processorOrderId,
  processor_refund_id: made.processorRefundId,
  refund_id: null,
  amount_cents: made.amountCents,
  currency: made.currency,
  made_at: made.createdAt.toISOString(),
})

it("records a refund that only the processor's list shows, counts it first and emits one event", async () => {
  const order = await refunds.newOrder()
  const made = await madeOutside(order, 700)
  const [listed] = await recorded(order)
  expect(listed).toEqual({
    refund_id: expect.stringMatching(/^rfd_/),
    order_key: order.orderKey,
    amount_cents: 700,
    currency: 'EUR',
    status: 'succeeded',
    description: null,
    order_lines: null,
    source: 'processor',
    created_at: made.createdAt.toISOString(),
    completed_at: made.createdAt.toISOString(),
  })
  expect(refunds.payments.reconciled).toContain(made.processorRefundId)
  const events = await refunds.eventsOf(order.orderKey)
  expect(events.map(({ name, partners }) => [name, partners[0]?.data['refund_id']])).toEqual([
    ['refund.completed', listed?.refund_id],
  ])
})

it('records a refund once that payments reports twice and the list shows to two replicas', async () => {
  const order = await refunds.newOrder()
  const made = await madeOutside(order, 300)
  const counted = asCounted(order, made)
  await Promise.all([1, 2, 3].map(() => refunds.payments.publish(counted)))
  await recorded(order)
  await nextRun()
  await refunds.payments.publish(counted)
  await nextRun()
  expect(await listOf(order)).toHaveLength(1)
  expect(await refunds.eventsOf(order.orderKey)).toHaveLength(1)
})

it('counts an external refund against the next ceiling and lists it with the others, newest first', async () => {
  const order = await refunds.newOrder()
  await madeOutside(order, 9_000)
  const answer = await refunds.refund(order.partner, order.orderKey, { amount_cents: 1_001 })
  expect(answer).toEqual({
    ok: false,
    code: 'amount_exceeds_remaining',
    details: [{ remaining_refundable_cents: 1_000 }],
  })
  expect(await refunds.refund(order.partner, order.orderKey, { amount_cents: 1_000 })).toMatchObject({
    ok: true,
  })
  const listed = await recorded(order, 2)
  expect(listed.map(({ source, amount_cents: cents }) => [source, cents])).toEqual([
    ['api', 1_000],
    ['processor', 9_000],
  ])
  await nextRun()
  expect(await refunds.eventsOf(order.orderKey)).toHaveLength(2)
})

it('does not record a refund of the API again when payments reports it', async () => {
  const order = await refunds.newOrder()
  await refunds.refund(order.partner, order.orderKey, { amount_cents: 100 })
  const [own] = await listOf(order)
  const made = (await refunds.atProcessor(order.processorOrderId))[0]
  if (!own || !made) throw new Error('Not made')
  await refunds.payments.publish({ ...asCounted(order, made), refund_id: own.refund_id })
  await nextRun()
  expect(await listOf(order)).toEqual([own])
  expect(await refunds.eventsOf(order.orderKey)).toHaveLength(1)
})

it('hides an external refund from another partner', async () => {
  const order = await refunds.newOrder()
  await madeOutside(order, 100)
  await recorded(order)
  expect(await refunds.list(newPartner(), order.orderKey)).toEqual({ ok: false, code: 'resource_not_found' })
})

it('records an external refund without an event for a partner whose relationship was revoked', async () => {
  const order = await refunds.newOrder()
  refunds.payments.hide(order.orderKey)
  const made = await madeOutside(order, 100)
  await eventually(async () => (await refunds.statesOf(order.orderKey))['reconciled'] === 1)
  await nextRun()
  expect(refunds.payments.reconciled).toContain(made.processorRefundId)
  expect(await refunds.eventsOf(order.orderKey)).toEqual([])
  expect(await countEvents(refunds.db, { orderId: order.orderId })).toEqual({ count: 0 })
})

it('records a refund of the platform again under its id when its record was lost', async () => {
  const order = await refunds.newOrder()
  const lost = newId('refund')
  await refunds.makeAtProcessor(order.processorOrderId, lost, 250)
  const [listed] = await recorded(order)
  expect(listed).toMatchObject({ refund_id: lost, amount_cents: 250, source: 'processor' })
})
