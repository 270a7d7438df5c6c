import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { startForTests, type RunningRefunds } from './running-refunds.ts'

let refunds: RunningRefunds
beforeAll(async () => {
  // These wait for the timeout of a request to the processor.
  refunds = await startForTests({ timeoutFactor: 1 })
})
afterEach(() => refunds.fault('ok'))
afterAll(() => refunds.stop())

const body = { amount_cents: 2_500 }
const internalError = { ok: false, code: 'internal_error' }

/** Waits until the order's refunds are in these final states. */
const settled = (orderKey: string, states: object) =>
  eventually(async () => {
    expect(await refunds.statesOf(orderKey)).toEqual(states)
    return true
  })

describe('a processor', () => {
  it('answers too late: returns 500, the completion job finds the refund, and its key returns it', async () => {
    const { partner, orderKey, processorOrderId } = await refunds.newOrder()
    await refunds.fault('after_effect_timeout', 1)
    expect(await refunds.refund(partner, orderKey, body, 'lost')).toEqual(internalError)
    await settled(orderKey, { reconciled: 1 })
    expect(await refunds.refund(partner, orderKey, body, 'lost')).toMatchObject({
      ok: true,
      value: { refund: { amount_cents: 2_500 }, refunded_cents: 2_500 },
    })
    expect(await refunds.atProcessor(processorOrderId)).toHaveLength(1)
    expect(refunds.payments.countedCents(orderKey)).toBe(2_500)
    expect(await refunds.eventsOf(orderKey)).toHaveLength(1)
  })

  it('has made the refund although it answered too late and would refuse now', async () => {
    const { partner, orderKey, processorOrderId } = await refunds.newOrder()
    await refunds.fault('after_effect_timeout')
    const lost = refunds.refund(partner, orderKey, body, 'lost then no')
    await eventually(async () => (await refunds.atProcessor(processorOrderId)).length === 1)
    const [made] = await refunds.atProcessor(processorOrderId)
    const waiting = {
      order_key: orderKey,
      partner_id: partner.partnerId,
      status: 'pending',
      amount_cents: 2_500,
    }
    expect(await refunds.pending()).toEqual([expect.objectContaining(waiting)])
    await refunds.fault('refuse')
    expect(await lost).toEqual(internalError)
    await settled(orderKey, { reconciled: 1 })
    expect(await refunds.refund(partner, orderKey, body, 'lost then no')).toMatchObject({ ok: true })
    expect(await refunds.pending()).toEqual([])
    const refundId = made?.refundId ?? ''
    expect(await refunds.getByStaff(refundId)).toMatchObject({
      value: { refund: { ...waiting, status: 'succeeded', refund_id: refundId } },
    })
    expect(await refunds.listByStaff(partner.partnerId, orderKey)).toMatchObject({
      value: { refunds: [{ refund_id: refundId }] },
    })
    expect(await refunds.getByStaff(newId('refund'))).toMatchObject({ code: 'resource_not_found' })
  })
})
