import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { call, newId, queryOne } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { onrampHolds, type Operation } from '@causeway/contracts'
import { z } from 'zod'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'

const HOUR_MS = 3_600_000
const holderOf = queryOne({
  name: 'test.read-holder',
  parameters: { orderId: 'text' },
  text: 'SELECT onramp_order_id FROM crypto_orders WHERE id = :orderId',
  row: z.object({ onrampOrderId: z.string().nullable() }),
})
let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(async () => {
  await payments.stop()
})

const ask = <O extends Operation>(operation: O, body: z.input<O['body']>) =>
  call(payments.bus, payments.clock, operation, {
    caller: { kind: 'service', service: 'onramp' },
    requestId: newId('request'),
    timeoutMs: TEST_DEADLINE_MS,
    safe: true,
    ...({ body } as object),
  })

const heldOrder = async () => {
  const { partner, customerId } = payments.newCustomer()
  const order = await payments.newOrder(partner, customerId)
  const named = { partner_id: partner.partnerId, order_id: order.id }
  const held = { ...named, onramp_order_id: newId('onrampOrder') }
  expect(await ask(onrampHolds.create, held)).toMatchObject({
    ok: true,
    value: { order: { status: 'pending' } },
  })
  return { partner, order, named, held }
}
const namesOf = async (orderId: string) =>
  (await payments.eventsOf(orderId)).map((event) => event.merchant?.body)

it("refuses another partner's order and an unknown one with the same reply", async () => {
  const { order, held } = await heldOrder()
  const stranger = newPartner().partnerId
  for (const body of [
    { partner_id: stranger, order_id: order.id },
    { partner_id: held.partner_id, order_id: newId('cryptoOrder') },
  ]) {
    expect(await ask(onrampHolds.getOrder, body)).toEqual({ ok: false, code: 'resource_not_found' })
    for (const operation of [onrampHolds.create, onrampHolds.release])
      expect(await ask(operation, { ...held, ...body })).toEqual({ ok: false, code: 'resource_not_found' })
    expect(await ask(onrampHolds.cancelOrder, { ...held, ...body, cause: 'onramp_failed' })).toEqual({
      ok: false,
      code: 'resource_not_found',
    })
  }
})

it('keeps a hold from another onramp order until its own has released it', async () => {
  const { named, held } = await heldOrder()
  const other = { ...named, onramp_order_id: newId('onrampOrder') }
  expect(await ask(onrampHolds.create, other)).toEqual({ ok: false, code: 'temporarily_unavailable' })
  expect(await ask(onrampHolds.create, held)).toMatchObject({ ok: true })
  expect(await ask(onrampHolds.release, other)).toMatchObject({ ok: true })
  expect(await ask(onrampHolds.create, other)).toEqual({ ok: false, code: 'temporarily_unavailable' })
  expect(await ask(onrampHolds.release, held)).toMatchObject({ ok: true })
  expect(await ask(onrampHolds.create, other)).toMatchObject({ ok: true })
})

it('does not expire a held order, and expires it once released', async () => {
  const { partner, order, held } = await heldOrder()
  const marker = await payments.newOrder(partner, payments.newCustomer(partner).customerId)
  payments.clock.advance(13 * HOUR_MS)
  await payments.becomes(partner, marker.id, 'expired')
  expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'pending' } } })
  expect(await ask(onrampHolds.release, held)).toMatchObject({ ok: true })
  await payments.becomes(partner, order.id, 'expired')
})

it('does not expire a released order before the requested time, and never earlier than before', async () => {
  const { partner, order, held } = await heldOrder()
  const soon = new Date(payments.clock.nowMs() + HOUR_MS).toISOString()
  expect(await ask(onrampHolds.release, { ...held, keep_until: soon })).toMatchObject({
    value: { order: { expires_at: order.expiresAt } },
  })
  const other = await heldOrder()
  payments.clock.advance(13 * HOUR_MS)
  await payments.becomes(partner, order.id, 'expired')
  const until = new Date(payments.clock.nowMs() + HOUR_MS).toISOString()
  for (let turn = 0; turn < 2; turn += 1)
    expect(await ask(onrampHolds.release, { ...other.held, keep_until: until })).toMatchObject({
      value: { order: { status: 'pending', expires_at: until } },
    })
  payments.clock.advance(HOUR_MS)
  await payments.becomes(other.partner, other.order.id, 'expired')
})

it('reduces an extension to the time given at a release, and never prolongs it', async () => {
  const { partner, order, held } = await heldOrder()
  const cap = new Date(payments.clock.nowMs() + 72 * HOUR_MS).toISOString()
  await ask(onrampHolds.extend, { ...held, expires_at: cap })
  expect(await ask(onrampHolds.release, { ...held, expires_at: order.expiresAt })).toMatchObject({
    value: { order: { expires_at: order.expiresAt } },
  })
  await ask(onrampHolds.create, held)
  await ask(onrampHolds.release, { ...held, expires_at: cap })
  expect(await payments.read(partner, order.id)).toMatchObject({
    value: { order: { expiresAt: order.expiresAt } },
  })
})

it.each([
  ['release', (held: z.input<(typeof onrampHolds.release)['body']>) => ask(onrampHolds.release, held)],
  [
    'cancellation',
    (held: z.input<(typeof onrampHolds.release)['body']>) =>
      ask(onrampHolds.cancelOrder, { ...held, cause: 'onramp_failed' as const }),
  ],
])('releases an underpaid order from the hold of an ended purchase: %s', async (_how, end) => {
  const { partner, order, held } = await heldOrder()
  await payments.deposit(order.id, '0.0001')
  await payments.becomes(partner, order.id, 'underpaid')
  const stranger = { ...held, onramp_order_id: newId('onrampOrder') }
  await end(stranger)
  expect(await holderOf(payments.db, { orderId: order.id })).toEqual({ onrampOrderId: held.onramp_order_id })
  await end(held)
  expect(await holderOf(payments.db, { orderId: order.id })).toEqual({ onrampOrderId: null })
  expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'underpaid' } } })
})

it('moves the end of the order when the holder extends it; a repetition changes nothing, and others are refused', async () => {
  const { partner, order, held } = await heldOrder()
  const expires_at = new Date(payments.clock.nowMs() + 72 * HOUR_MS).toISOString()
  await ask(onrampHolds.extend, { ...held, onramp_order_id: newId('onrampOrder'), expires_at })
  expect(await payments.read(partner, order.id)).toMatchObject({
    value: { order: { expiresAt: order.expiresAt } },
  })
  for (let turn = 0; turn < 2; turn += 1)
    expect(await ask(onrampHolds.extend, { ...held, expires_at })).toMatchObject({
      value: { order: { expires_at } },
    })
  expect(await payments.read(partner, order.id)).toMatchObject({
    value: { order: { expiresAt: expires_at } },
  })
})

it('cancels by force at the hard cap and emits expired once', async () => {
  const { partner, order, held } = await heldOrder()
  for (let turn = 0; turn < 2; turn += 1)
    expect(await ask(onrampHolds.cancelOrder, { ...held, cause: 'ramping_kyc_timeout' })).toMatchObject({
      value: { order: { status: 'cancelled' } },
    })
  const events = await payments.eventsOf(order.id)
  expect(events.map(({ name }) => name)).toEqual(['payment.pending', 'payment.expired'])
  expect(events[1]?.merchant).toMatchObject({
    integration_id: null,
    event: 'expired',
    body: {
      event: 'expired',
      order: { id: order.id },
      reason: 'ramping_kyc_timeout',
      rampingOrderId: held.onramp_order_id,
    },
  })
  expect(events[1]?.partners).toMatchObject([
    { partner_id: partner.partnerId, type: 'payment.expired', data: { status: 'cancelled' } },
  ])
})

it('cancels after a failed purchase like any cancellation', async () => {
  const { order, held } = await heldOrder()
  await ask(onrampHolds.cancelOrder, { ...held, cause: 'onramp_failed' })
  expect((await namesOf(order.id))[1]).toEqual({
    event: 'cancelled',
    order: expect.objectContaining({ id: order.id }),
  })
})

it('refuses to hold or cancel a paid order', async () => {
  const { partner, order, held } = await heldOrder()
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  expect(await ask(onrampHolds.create, held)).toEqual({
    ok: false,
    code: 'invalid_state',
    details: [{ from: 'paid' }],
  })
  expect(await ask(onrampHolds.cancelOrder, { ...held, cause: 'ramping_kyc_timeout' })).toMatchObject({
    value: { order: { status: 'paid' } },
  })
})
