import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { fingerprintOf, newId, queryNone } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { refunds as contract } from '@causeway/contracts'
import { startForTests, type RunningRefunds } from './running-refunds.ts'

const leaveKey = queryNone({
  name: 'test.leave-key',
  parameters: {
    partnerId: 'text',
    operation: 'text',
    fingerprint: 'text',
    requestId: 'text',
    at: 'timestamptz',
    recorded: 'text',
  },
  text: `
    INSERT INTO idempotency_keys (partner_id, operation, key, fingerprint, request_id, created_at, lease_until, recorded)
    VALUES (:partnerId, :operation, 'left', :fingerprint, :requestId, :at, :at, :recorded)`,
})
const leaveRefund = queryNone({
  name: 'test.leave-refund',
  parameters: {
    id: 'text',
    partnerId: 'text',
    orderKey: 'bigint',
    state: 'text',
    customerId: 'text',
    orderId: 'text',
    processorOrderId: 'text',
    processorRefundId: 'text?',
    dueAt: 'timestamptz',
    createdAt: 'timestamptz',
  },
  text: `
    INSERT INTO refunds (id, partner_id, order_key, state, amount_cents, idempotency_key, partner_customer_id,
      order_id, currency, processor, processor_order_id, service_fee_payer, max_refundable_cents,
      refunded_before_cents, processor_refund_id, due_at, created_at)
    VALUES (:id, :partnerId, :orderKey, :state, 2500, 'left', :customerId, :orderId, 'EUR', 'processor',
      :processorOrderId, 'customer', 10000, 0, :processorRefundId, :dueAt, :createdAt)`,
})

let refunds: RunningRefunds
beforeAll(async () => {
  refunds = await startForTests()
})
afterAll(() => refunds.stop())

const body = { amount_cents: 2_500 }
type Crash = 'during validation' | 'before the request' | 'after the request' | 'before the order counts'

/** Stores the state of a call that crashed there. @param isDue true if the completion job claims it immediately; otherwise never */
const leave = async (crash: Crash, isDue: boolean) => {
  const order = await refunds.newOrder()
  const { partner, orderKey, orderId, processorOrderId } = order
  const id = newId('refund')
  const isMade = crash === 'after the request' || crash === 'before the order counts'
  const made = isMade ? await refunds.makeAtProcessor(processorOrderId, id, 2_500) : undefined
  const long = new Date(Date.now() - 60_000)
  const requestId = newId('request')
  const { partnerId } = partner
  await leaveKey(refunds.db, {
    partnerId,
    operation: contract.create.subject,
    fingerprint: fingerprintOf({ orderKey }, body),
    requestId,
    at: long,
    recorded: id,
  })
  const state =
    { 'during validation': 'requested', 'before the order counts': 'succeeded' }[crash as string] ?? 'sent'
  await leaveRefund(refunds.db, {
    id,
    partnerId,
    orderKey,
    state,
    customerId: newId('relationship'),
    orderId,
    processorOrderId,
    processorRefundId: state === 'succeeded' ? (made?.processorRefundId ?? null) : null,
    dueAt: isDue ? long : new Date(Date.now() + 3_600_000),
    createdAt: long,
  })
  return { ...order, requestId }
}

const sent: readonly Crash[] = ['before the request', 'after the request', 'before the order counts']

describe('a call that died', () => {
  it.each(['during validation', ...sent] as const)(
    'is continued by a replay of its key (%s): one refund, counted once, one event',
    async (crash) => {
      const { partner, orderKey, processorOrderId, requestId } = await leave(crash, false)
      const finished = await refunds.refund(partner, orderKey, body, 'left')
      expect(finished).toMatchObject({
        ok: true,
        value: { refund: { amount_cents: 2_500, status: 'partially_refunded' }, refunded_cents: 2_500 },
        // The answer is the dead call's, and what follows repeats it to the byte.
        replay: { requestId },
      })
      expect(await refunds.refund(partner, orderKey, body, 'left')).toEqual(finished)
      expect(await refunds.atProcessor(processorOrderId)).toHaveLength(1)
      expect(refunds.payments.countedCents(orderKey)).toBe(2_500)
      expect(await refunds.eventsOf(orderKey)).toHaveLength(1)
      expect(await refunds.statesOf(orderKey)).toEqual({ reconciled: 1 })
    },
  )

  it.each(sent)('is completed by the completion job (%s), and its key returns the outcome', async (crash) => {
    const { partner, orderKey, processorOrderId } = await leave(crash, true)
    await eventually(async () => {
      expect(await refunds.statesOf(orderKey)).toEqual({ reconciled: 1 })
      return true
    })
    expect(await refunds.atProcessor(processorOrderId)).toHaveLength(1)
    expect(refunds.payments.countedCents(orderKey)).toBe(2_500)
    const replayed = await refunds.refund(partner, orderKey, body, 'left')
    expect(replayed).toMatchObject({ ok: true, value: { refunded_cents: 2_500 } })
    expect(await refunds.eventsOf(orderKey)).toHaveLength(1)
  })

  it('emits one event when a replay and the completion job continue it concurrently', async () => {
    const before = refunds.payments.records()
    refunds.payments.setRecordMs(600)
    const { partner, orderKey } = await leave('before the order counts', true)
    const answer = await refunds.refund(partner, orderKey, body, 'left')
    expect(answer).toMatchObject({ ok: true, value: { refunded_cents: 2_500 } })
    await eventually(async () => {
      expect(await refunds.statesOf(orderKey)).toEqual({ reconciled: 1 })
      return refunds.payments.records() - before >= 2
    })
    refunds.payments.setRecordMs(0)
    // The same completion job takes the next order's refund after whatever it still had to do.
    const next = await leave('before the order counts', true)
    await eventually(async () => (await refunds.eventsOf(next.orderKey)).length === 1)
    expect(await refunds.eventsOf(orderKey)).toHaveLength(1)
  })

  it('is refused when its key continues it during validation: 502, no replay, and the key is released', async () => {
    const { partner, orderKey } = await leave('during validation', false)
    await refunds.fault('refuse', 1, 'read')
    const answer = await refunds.refund(partner, orderKey, body, 'left')
    expect(answer).toEqual({ ok: false, code: 'provider_error' })
    expect(await refunds.keysOf(partner)).toBe(0)
  })

  it('is withdrawn by the completion job during validation: nothing is sent, key and slot are released', async () => {
    const { partner, orderKey, processorOrderId } = await leave('during validation', true)
    await eventually(async () => {
      expect(await refunds.statesOf(orderKey)).toEqual({})
      return true
    })
    expect(await refunds.keysOf(partner)).toBe(0)
    expect(await refunds.atProcessor(processorOrderId)).toEqual([])
  })
})
