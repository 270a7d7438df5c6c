import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { queryOne } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { z } from 'zod'
import { HOUR_MS, startForTests, type RunningOnramp } from './running-onramp.ts'

const readDue = queryOne({
  name: 'test.read-due',
  parameters: { id: 'text' },
  text: 'SELECT due_at, poll_at FROM onramp_orders WHERE id = :id',
  row: z.object({ dueAt: z.date().nullable(), pollAt: z.date().nullable() }),
})

let onramp: RunningOnramp
beforeEach(async () => {
  // Nothing but the final check reads the provider.
  onramp = await startForTests({ pollAfterMs: 1_000 * HOUR_MS })
})
afterEach(async () => {
  await onramp.stop()
})

const emittedOf = async (id: string) =>
  (await onramp.merchantEvents(id)).map(({ event, data }) => [
    event,
    data['status'] ?? null,
    data['reason'] ?? null,
  ])
const isEmitted = (id: string, expected: unknown[]) =>
  eventually(async () => JSON.stringify(await emittedOf(id)) === JSON.stringify(expected))
const KYC = ['ramping.kyc_pending', null, null]
const TIMEOUT = ['ramping.status_changed', 'expired', 'kyc_timeout_72h']

/** An extended purchase one moment before its cap, with the provider's notices refused from now on. */
const atTheCap = async () => {
  const { cryptoOrder, onramp: made } = await onramp.purchase()
  onramp.clock.advance(10 * HOUR_MS)
  await isEmitted(made.id, [KYC])
  // The poll that follows every creation must not be what reads the provider below.
  await eventually(async () => {
    const row = await readDue(onramp.db, { id: made.id })
    return row?.pollAt && row.pollAt.getTime() > onramp.clock.nowMs() + 900 * HOUR_MS
  })
  onramp.clock.advance(62 * HOUR_MS - 1_000)
  onramp.noticeRelay.setRefusing(true)
  return { id: made.id, cryptoOrder }
}
const isRetried = (id: string) =>
  eventually(async () => {
    const row = await readDue(onramp.db, { id })
    return row?.dueAt?.getTime() === onramp.clock.nowMs() + 2_000
  })
const lastRequest = (orderId: string) => onramp.payments.requestsOf(orderId).at(-1)?.what

it('prefers a success of the last moment, without a notice, to the cap', async () => {
  const { id, cryptoOrder } = await atTheCap()
  await onramp.say(id, 'completed')
  onramp.clock.advance(1_000)
  await isEmitted(id, [KYC, ['ramping.status_changed', 'completed', null]])
  await eventually(() => lastRequest(cryptoOrder.order_id) === 'release')
  expect(onramp.payments.cryptoOrder(cryptoOrder.order_id)?.status).toBe('pending')
})

it('ends an order as its provider states after a failure of the last moment, not by the cap', async () => {
  const { id, cryptoOrder } = await atTheCap()
  await onramp.say(id, 'declined')
  onramp.clock.advance(1_000)
  await isEmitted(id, [KYC, ['ramping.status_changed', 'declined', null]])
  await eventually(() => lastRequest(cryptoOrder.order_id) === 'cancelOrder')
  expect(onramp.payments.requestsOf(cryptoOrder.order_id).at(-1)?.cause).toBe('onramp_failed')
})

it('emits the last status before the cap, and then the expiry', async () => {
  const { id, cryptoOrder } = await atTheCap()
  await onramp.say(id, 'extraVerification')
  onramp.clock.advance(1_000)
  await isEmitted(id, [KYC, ['ramping.status_changed', 'extraVerification', null], TIMEOUT])
  await eventually(() => lastRequest(cryptoOrder.order_id) === 'cancelOrder')
  expect((await onramp.merchantEvents(id)).at(-1)?.data['providerWebhook']).toMatchObject({
    status: 'extraVerification',
  })
})

it('retries a provider that cannot be read for a while, and still prefers its success', async () => {
  const { id } = await atTheCap()
  await onramp.say(id, 'completed')
  await onramp.fault('error')
  onramp.clock.advance(1_000)
  await isRetried(id)
  expect(await emittedOf(id)).toEqual([KYC])
  await onramp.fault('ok')
  onramp.clock.advance(2_000)
  await isEmitted(id, [KYC, ['ramping.status_changed', 'completed', null]])
})

it('lets an order expire when its provider stays unreachable', async () => {
  const { id, cryptoOrder } = await atTheCap()
  await onramp.fault('error')
  onramp.clock.advance(1_000)
  await isRetried(id)
  onramp.clock.advance(10_000)
  await isEmitted(id, [KYC, TIMEOUT])
  await eventually(() => onramp.payments.cryptoOrder(cryptoOrder.order_id)?.status === 'cancelled')
})
