import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { queryNone, registry } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { startForTests, type RunningRefunds } from './running-refunds.ts'

const set = {
  amount: queryNone({
    name: 'test.set-amount',
    parameters: { orderKey: 'bigint', amountCents: 'bigint' },
    text: 'UPDATE refunds SET amount_cents = :amountCents WHERE order_key = :orderKey',
  }),
  state: queryNone({
    name: 'test.set-state',
    parameters: { orderKey: 'bigint', state: 'text' },
    text: 'UPDATE refunds SET state = :state WHERE order_key = :orderKey',
  }),
  /** Long enough ago for nobody to be about to settle it. */
  created: queryNone({
    name: 'test.set-created',
    parameters: { orderKey: 'bigint' },
    text: "UPDATE refunds SET created_at = created_at - interval '1 hour' WHERE order_key = :orderKey",
  }),
  /** So that nothing links the record to the processor's refund, at any moment of any run in progress. */
  ids: queryNone({
    name: 'test.set-ids',
    parameters: { orderKey: 'bigint', id: 'text', processorRefundId: 'text' },
    text: `
      UPDATE refunds SET id = :id, processor_refund_id = :processorRefundId, found_at = NULL
      WHERE order_key = :orderKey`,
  }),
} as const
const fail = queryNone({
  name: 'test.fail',
  parameters: { processorRefundId: 'text' },
  text: "UPDATE refunds SET state = 'failed' WHERE processor_refund_id = :processorRefundId",
})
const unfail = queryNone({
  name: 'test.unfail',
  parameters: { processorRefundId: 'text' },
  text: "UPDATE refunds SET state = 'reconciled' WHERE processor_refund_id = :processorRefundId",
})

let refunds: RunningRefunds
beforeAll(async () => {
  const reconciliation = { everyMs: 100, overlapMs: 3_600_000, depthMs: 35 * 86_400_000 }
  refunds = await startForTests({ reconciliation })
})
afterEach(() => refunds.fault('ok'))
afterAll(() => refunds.stop())

const refunded = async () => {
  const order = await refunds.newOrder()
  const answer = await refunds.refund(order.partner, order.orderKey, { amount_cents: 2_500 })
  if (!answer.ok) throw new Error(answer.code)
  const [made] = await refunds.atProcessor(order.processorOrderId)
  const listed = await refunds.list(order.partner, order.orderKey)
  const refund = listed.ok ? listed.value.refunds[0] : undefined
  if (!made || !refund) throw new Error('Not made')
  return { ...order, made, refund }
}
const differencesOf = async (orderKey: string) => {
  const { differences } = await refunds.readReconciliation({ limit: '100' })
  return differences.filter((each) => each.order_key === orderKey)
}
const difference = (orderKey: string, kind: string) =>
  eventually(async () => {
    const found = await differencesOf(orderKey)
    return found.length === 1 && found[0]?.kind === kind && found[0]
  })
const agrees = (orderKey: string) => eventually(async () => (await differencesOf(orderKey)).length === 0)
const openCount = async (kind: 'missing_here' | 'other_amount') => {
  const { processors } = await refunds.readReconciliation()
  return processors.find(({ processor }) => processor === 'processor')?.open_differences[kind] ?? 0
}
const gaugeOf = async (kind: string) =>
  (await registry.getSingleMetric('causeway_refund_differences')?.get())?.values.find(
    ({ labels }) => labels['processor'] === 'processor' && labels['kind'] === kind,
  )?.value

describe('a refund and its processor that disagree', () => {
  it('differ by the amount: both sides are shown until they agree, and counted in the metric', async () => {
    const { orderKey, partner, refund, made } = await refunded()
    await set.amount(refunds.db, { orderKey, amountCents: 2_400 })
    const found = await difference(orderKey, 'other_amount')
    const sides = { currency: 'EUR', status: 'succeeded' }
    expect(found).toEqual({
      difference_id: expect.stringMatching(/^rdf_/),
      kind: 'other_amount',
      processor: 'processor',
      processor_refund_id: made.processorRefundId,
      refund_id: refund.refund_id,
      order_key: orderKey,
      partner_id: partner.partnerId,
      here: { amount_cents: 2_400, ...sides },
      at_processor: { amount_cents: 2_500, ...sides },
      found_at: expect.any(String),
      checked_at: expect.any(String),
      closed_at: null,
    })
    await eventually(async () => (await gaugeOf('other_amount')) === 1)
    await set.amount(refunds.db, { orderKey, amountCents: 2_500 })
    await agrees(orderKey)
    await eventually(async () => (await gaugeOf('other_amount')) === 0)
  })

  it('differ by the state: pending here for more than 15 minutes, made at the processor', async () => {
    const { orderKey } = await refunded()
    await set.created(refunds.db, { orderKey })
    await set.state(refunds.db, { orderKey, state: 'unknown' })
    expect(await difference(orderKey, 'other_state')).toMatchObject({
      here: { status: 'pending' },
      at_processor: { status: 'succeeded' },
    })
    await set.state(refunds.db, { orderKey, state: 'reconciled' })
    await agrees(orderKey)
  })

  it('differ while only one of them has the refund; another refund of the processor is recorded', async () => {
    const { orderKey, made, refund } = await refunded()
    await set.ids(refunds.db, {
      orderKey,
      id: `${refund.refund_id.slice(0, -3)}000`,
      processorRefundId: 'sbr_nowhere',
    })
    expect(await difference(orderKey, 'missing_at_processor')).toMatchObject({
      processor_refund_id: 'sbr_nowhere',
      here: { amount_cents: 2_500 },
      at_processor: null,
    })
    await eventually(async () => (await refunds.statesOf(orderKey))['reconciled'] === 2)
    expect(refunds.payments.reconciled).toContain(made.processorRefundId)
    await fail(refunds.db, { processorRefundId: 'sbr_nowhere' })
    await agrees(orderKey)
    await unfail(refunds.db, { processorRefundId: 'sbr_nowhere' })
    await difference(orderKey, 'missing_at_processor')
  })

  it('differ while payments has no such order', async () => {
    const order = await refunds.newOrder()
    const known = refunds.payments.remove(order.orderKey)
    await refunds.refundElsewhere(order.orderKey, 400)
    expect(await difference(order.orderKey, 'missing_here')).toMatchObject({
      partner_id: null,
      refund_id: null,
      here: null,
      at_processor: { amount_cents: 400, currency: 'EUR', status: 'succeeded' },
    })
    expect(await refunds.statesOf(order.orderKey)).toEqual({})
    known.restore()
    await agrees(order.orderKey)
    expect(await refunds.statesOf(order.orderKey)).toEqual({ reconciled: 1 })
  })

  it('differ when payments does not know the order as paid, and no event is emitted', async () => {
    const order = await refunds.newOrder({ status: 'pending' })
    await refunds.refundElsewhere(order.orderKey, 400)
    expect(await difference(order.orderKey, 'missing_here')).toMatchObject({
      partner_id: order.partner.partnerId,
    })
    expect(await refunds.eventsOf(order.orderKey)).toEqual([])
    refunds.payments.change(order.orderKey, { status: 'paid' })
    await agrees(order.orderKey)
    expect(await refunds.eventsOf(order.orderKey)).toHaveLength(1)
  })

  it('stay closed by staff while nothing changes, and open again when one side does', async () => {
    const { orderKey } = await refunded()
    await set.amount(refunds.db, { orderKey, amountCents: 2_400 })
    const found = await difference(orderKey, 'other_amount')
    const before = await openCount('other_amount')
    const closed = await refunds.closeDifference(found.difference_id)
    expect(closed).toMatchObject({
      ok: true,
      value: { difference: { closed_at: expect.any(String) } },
    })
    expect(await differencesOf(orderKey)).toEqual([])
    expect(await openCount('other_amount')).toBe(before - 1)
    await aWholeRun()
    expect(await differencesOf(orderKey)).toEqual([])
    await set.amount(refunds.db, { orderKey, amountCents: 2_300 })
    expect(await difference(orderKey, 'other_amount')).toMatchObject({
      difference_id: found.difference_id,
      here: { amount_cents: 2_300 },
      closed_at: null,
    })
    expect(await refunds.closeDifference(`${found.difference_id.slice(0, -3)}zzz`)).toEqual({
      ok: false,
      code: 'resource_not_found',
    })
  })

  it('are listed oldest first, page by page, each once', async () => {
    const seen: string[] = []
    for (let cursor: string | undefined, more = true; more;) {
      const page = await refunds.readReconciliation({ limit: '1', ...(cursor && { cursor }) })
      seen.push(...page.differences.map(({ difference_id: id }) => id))
      cursor = page.next_cursor ?? undefined
      more = page.next_cursor !== null
    }
    const { differences } = await refunds.readReconciliation()
    expect(seen).toEqual(differences.map(({ difference_id: id }) => id))
    expect(seen.length).toBeGreaterThan(1)
    expect(differences.map(({ found_at: at }) => at)).toEqual(
      differences.map(({ found_at: at }) => at).sort(),
    )
    await expect(refunds.readReconciliation({ cursor: 'of another list' })).rejects.toThrow('invalid_cursor')
  })
})

/** A whole run that began after now is over. */
const aWholeRun = async () => {
  const askedAt = refunds.clock.now().toISOString()
  await eventually(async () => {
    const { processors } = await refunds.readReconciliation()
    return processors.every(({ last_run: run }) => run !== null && run.started_at > askedAt)
  })
}
