import { newId } from '@causeway/chassis'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newPartner, startForTests, type RunningRefunds } from './running-refunds.ts'

let refunds: RunningRefunds
beforeAll(async () => {
  refunds = await startForTests({ dailyLimitCents: 1_000 })
})
afterAll(() => refunds.stop())

test('makes one refund however often the key is repeated, with the event of a refund of the partner', async () => {
  const { partner, orderKey } = await refunds.newOrder()
  const refund = () => refunds.refundByStaff(partner.partnerId, orderKey, { amount_cents: 4_000 }, 'one')
  const answers = await Promise.all([refund(), refund(), refund()])
  for (const answer of [...answers, await refund()])
    expect(answer).toMatchObject({
      ok: true,
      value: { order_key: orderKey, refunded_cents: 4_000, remaining_refundable_cents: 6_000 },
    })
  expect(await refunds.statesOf(orderKey)).toEqual({ reconciled: 1 })
  expect(refunds.payments.countedCents(orderKey)).toBe(4_000)
  const sent = await refunds.eventsOf(orderKey)
  expect(sent.map(({ name, partners }) => [name, partners.map(({ partner_id: id }) => id)])).toEqual([
    ['refund.completed', [partner.partnerId]],
  ])
  const different = refunds.refundByStaff(partner.partnerId, orderKey, { amount_cents: 1 }, 'one')
  expect(await different).toEqual({ ok: false, code: 'idempotency_key_reuse' })
})

test('refunds where the partner cannot: its access or its capability is gone, or its limit is reached', async () => {
  const { partner, orderKey } = await refunds.newOrder()
  expect(await refunds.refund(partner, orderKey, { amount_cents: 4_000 })).toMatchObject({
    code: 'limit_reached',
  })
  refunds.payments.change(orderKey, {
    capability: { enabled: true, available: false, reason: 'suspended' },
  })
  expect(await refunds.refund(partner, orderKey, { amount_cents: 1 })).toMatchObject({
    code: 'capability_unavailable',
  })
  refunds.payments.hide(orderKey)
  expect(await refunds.refund(partner, orderKey, { amount_cents: 1 })).toMatchObject({
    code: 'resource_not_found',
  })
  const refund = (key: string) =>
    refunds.refundByStaff(partner.partnerId, orderKey, { amount_cents: 5_000 }, key)
  expect([(await refund('two')).ok, (await refund('three')).ok]).toEqual([true, true])
  expect(refunds.payments.countedCents(orderKey)).toBe(10_000)
})

test('keeps the keys of staff and of the partner apart', async () => {
  const { partner, orderKey } = await refunds.newOrder()
  const body = { amount_cents: 500 }
  expect(await refunds.refund(partner, orderKey, body, 'same')).toMatchObject({ ok: true })
  expect(await refunds.refundByStaff(partner.partnerId, orderKey, body, 'same')).toMatchObject({
    ok: true,
    value: { refunded_cents: 1_000 },
  })
})

test('refuses what cannot be refunded, and an order of a different partner', async () => {
  const { partner, orderKey } = await refunds.newOrder()
  const refund = (partnerId: string, key: string, amount_cents: number) =>
    refunds.refundByStaff(partnerId, key, { amount_cents }, newId('request'))
  expect(await refund(partner.partnerId, orderKey, 10_001)).toEqual({
    ok: false,
    code: 'amount_exceeds_remaining',
    details: [{ remaining_refundable_cents: 10_000 }],
  })
  const notFound = { ok: false, code: 'resource_not_found' }
  expect(await refund(newPartner().partnerId, orderKey, 1)).toEqual(notFound)
  expect(await refund('nobody', orderKey, 1)).toEqual(notFound)
  expect(await refund(partner.partnerId, 'x', 1)).toEqual(notFound)
  const unpaid = await refunds.newOrder({ paid: false, status: 'pending' })
  expect(await refund(unpaid.partner.partnerId, unpaid.orderKey, 1)).toEqual({
    ok: false,
    code: 'order_not_paid',
  })
})
