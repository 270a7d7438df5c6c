import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { queryMany } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { z } from 'zod'
import { HOUR_MS, startForTests, type RunningOnramp } from './running-onramp.ts'

let onramp: RunningOnramp
beforeEach(async () => {
  onramp = await startForTests()
})
afterEach(async () => {
  await onramp.stop()
})

const emittedOf = async (id: string) =>
  (await onramp.merchantEvents(id)).map(({ event, data }) => [event, data['reason'] ?? null])
const findPurchases = queryMany({
  name: 'test.find-purchases',
  parameters: { orderId: 'text' },
  text: 'SELECT id FROM onramp_orders WHERE order_id = :orderId',
  row: z.object({ id: z.string() }),
})
const KYC = ['ramping.kyc_pending', null]
const TIMEOUT = ['ramping.status_changed', 'kyc_timeout_72h']
const isEmitted = (id: string, expected: unknown[]) =>
  eventually(async () => JSON.stringify(await emittedOf(id)) === JSON.stringify(expected))

describe('an open onramp order', () => {
  it('extends its crypto order to the hard cap at ten hours, not before, and emits one event', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchase()
    await onramp.say(made.id, 'extraVerification')
    await onramp.becomes(cryptoOrder, 'extraVerification')
    const cap = new Date(Date.parse(made.createdAt) + 72 * HOUR_MS).toISOString()
    onramp.clock.advance(10 * HOUR_MS - 1_000)
    const later = await onramp.purchase()
    await onramp.say(later.onramp.id, 'declined')
    await eventually(() => onramp.payments.cryptoOrder(later.cryptoOrder.order_id)?.status === 'cancelled')
    expect(onramp.payments.cryptoOrder(cryptoOrder.order_id)?.expires_at).toBe(cryptoOrder.expires_at)
    onramp.clock.advance(1_000)
    await eventually(async () => (await onramp.merchantEvents(made.id)).length === 2)
    expect(onramp.payments.cryptoOrder(cryptoOrder.order_id)?.expires_at).toBe(cap)
    expect((await onramp.merchantEvents(made.id))[1]).toEqual({
      event: 'ramping.kyc_pending',
      data: {
        id: made.id,
        orderId: cryptoOrder.order_id,
        providerStatus: 'extraVerification',
        originalExpiresAt: cryptoOrder.expires_at,
        newExpiresAt: cap,
        hardCapAt: cap,
        ageHours: 10,
      },
    })
  })

  it('ends at the hard cap: its crypto order is cancelled and the event has its reason', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchase()
    onramp.clock.advance(10 * HOUR_MS)
    await isEmitted(made.id, [KYC])
    onramp.clock.advance(62 * HOUR_MS - 1_000)
    expect(await onramp.read(cryptoOrder)).toMatchObject({ value: { onramp: { status: 'pendingPayment' } } })
    onramp.clock.advance(1_000)
    await eventually(() => onramp.payments.cryptoOrder(cryptoOrder.order_id)?.status === 'cancelled')
    expect(onramp.payments.requestsOf(cryptoOrder.order_id).at(-1)).toEqual({
      what: 'cancelOrder',
      orderId: cryptoOrder.order_id,
      cause: 'ramping_kyc_timeout',
    })
    await isEmitted(made.id, [KYC, TIMEOUT])
    const [, end] = await onramp.merchantEvents(made.id)
    expect(end?.data).toMatchObject({
      status: 'expired',
      reason: 'kyc_timeout_72h',
      providerWebhook: { status: 'pendingPayment', order_id: made.providerOrderId },
    })
    await onramp.say(made.id, 'complete')
    await eventually(() => onramp.noticeRelay.posts.length === 1)
    expect(await emittedOf(made.id)).toEqual([KYC, TIMEOUT])
  })

  it('is neither extended nor ended after it has succeeded or failed', async () => {
    const good = await onramp.purchase()
    const bad = await onramp.purchase()
    await onramp.say(good.onramp.id, 'complete')
    await onramp.say(bad.onramp.id, 'declined')
    await onramp.becomes(good.cryptoOrder, 'complete')
    await onramp.becomes(bad.cryptoOrder, 'declined')
    const marker = await onramp.purchase()
    onramp.clock.advance(73 * HOUR_MS)
    await isEmitted(marker.onramp.id, [KYC, TIMEOUT])
    expect(await emittedOf(good.onramp.id)).toEqual([['ramping.status_changed', null]])
    expect(await emittedOf(bad.onramp.id)).toEqual([['ramping.status_changed', null]])
    expect(onramp.payments.cryptoOrder(good.cryptoOrder.order_id)?.status).toBe('pending')
  })

  it('releases its crypto order at the hard cap when its provider has never opened it', async () => {
    const cryptoOrder = onramp.payments.newCryptoOrder()
    await onramp.fault('reset')
    expect(await onramp.create(cryptoOrder)).toMatchObject({ ok: false })
    onramp.clock.advance(72 * HOUR_MS - 1)
    expect(onramp.payments.requestsOf(cryptoOrder.order_id).at(-1)?.what).toBe('create')
    onramp.clock.advance(1)
    await eventually(() => onramp.payments.requestsOf(cryptoOrder.order_id).at(-1)?.what === 'release')
    // It is kept as long as a call that read it before may still hold the crypto order.
    onramp.clock.advance(30_000)
    await eventually(
      async () => (await findPurchases(onramp.db, { orderId: cryptoOrder.order_id })).length === 0,
    )
    await onramp.fault('ok')
    expect(await onramp.create(cryptoOrder)).toMatchObject({ ok: true, variant: 'created' })
  })

  it('emits no kyc_pending when its crypto order was paid in the meantime', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchase()
    onramp.payments.setStatus(cryptoOrder.order_id, 'paid')
    const marker = await onramp.purchase()
    onramp.clock.advance(10 * HOUR_MS)
    await isEmitted(marker.onramp.id, [KYC])
    await eventually(() =>
      onramp.payments.requestsOf(cryptoOrder.order_id).some(({ what }) => what === 'extend'),
    )
    expect(await emittedOf(made.id)).toEqual([])
  })
})

describe('deadlines', () => {
  it('emit each event of each order exactly once with three concurrent replicas', async () => {
    await onramp.addReplica()
    await onramp.addReplica()
    const purchases = await Promise.all(Array.from({ length: 40 }, () => onramp.purchase()))
    onramp.clock.advance(10 * HOUR_MS)
    for (const { onramp: made } of purchases) await isEmitted(made.id, [KYC])
    onramp.clock.advance(62 * HOUR_MS)
    for (const { onramp: made } of purchases) await isEmitted(made.id, [KYC, TIMEOUT])
    await eventually(() =>
      purchases.every(
        ({ cryptoOrder }) => onramp.payments.cryptoOrder(cryptoOrder.order_id)?.status === 'cancelled',
      ),
    )
  })

  it('are caught up in order after the service was stopped for all of them', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchase()
    await onramp.stopReplicas()
    onramp.clock.advance(80 * HOUR_MS)
    await onramp.addReplica()
    await isEmitted(made.id, [KYC, TIMEOUT])
    await eventually(() => onramp.payments.cryptoOrder(cryptoOrder.order_id)?.status === 'cancelled')
  })

  it.each(['extend', 'cancelOrder'])(
    'retry payments after it was down at %s, and emit once',
    async (step) => {
      const { cryptoOrder, onramp: made } = await onramp.purchase()
      if (step === 'cancelOrder') {
        onramp.clock.advance(10 * HOUR_MS)
        await isEmitted(made.id, [KYC])
      }
      onramp.payments.setDown(true)
      onramp.clock.advance(step === 'extend' ? 10 * HOUR_MS : 62 * HOUR_MS)
      await eventually(() => onramp.payments.requestsOf(cryptoOrder.order_id).at(-1)?.what === step)
      await onramp.stopReplicas()
      onramp.payments.setDown(false)
      await onramp.addReplica()
      onramp.clock.advance(20_000)
      await isEmitted(made.id, step === 'extend' ? [KYC] : [KYC, TIMEOUT])
      await eventually(
        () =>
          onramp.payments.cryptoOrder(cryptoOrder.order_id)?.status ===
          (step === 'extend' ? 'pending' : 'cancelled'),
      )
    },
  )
})

describe('a purchase that the buyer opened on the payment page', () => {
  const requests = (orderId: string) => onramp.payments.requestsOf(orderId).map(({ what }) => what)

  it('releases its crypto order when it fails, and cancels nothing', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchaseByBuyer()
    await onramp.say(made.id, 'cancelled')
    await eventually(() => requests(cryptoOrder.order_id).includes('release'))
    const partners = await onramp.purchase()
    await onramp.say(partners.onramp.id, 'cancelled')
    await eventually(() => requests(partners.cryptoOrder.order_id).includes('cancelOrder'))
    expect(onramp.payments.requestsOf(cryptoOrder.order_id)).toEqual([
      { what: 'create', orderId: cryptoOrder.order_id },
      { what: 'release', orderId: cryptoOrder.order_id },
    ])
    expect(onramp.payments.cryptoOrder(cryptoOrder.order_id)?.status).toBe('pending')
  })

  it('extends nothing while nothing is paid, and releases its crypto order at its expiry', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchaseByBuyer()
    onramp.clock.advance(10 * HOUR_MS)
    const partners = await onramp.purchase()
    await onramp.say(partners.onramp.id, 'declined')
    await eventually(() => requests(partners.cryptoOrder.order_id).includes('cancelOrder'))
    expect(requests(cryptoOrder.order_id)).toEqual(['create'])
    onramp.clock.advance(2 * HOUR_MS)
    await eventually(() => requests(cryptoOrder.order_id).includes('release'))
    onramp.clock.advance(60 * HOUR_MS)
    await isEmitted(made.id, [TIMEOUT])
    await eventually(() => requests(cryptoOrder.order_id).includes('cancelOrder'))
    expect(requests(cryptoOrder.order_id)).toEqual(['create', 'release', 'cancelOrder'])
    expect(onramp.payments.cryptoOrder(cryptoOrder.order_id)?.expires_at).toBe(cryptoOrder.expires_at)
  })

  it('extends its crypto order once the provider has the money, and reverts that when it fails', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchaseByBuyer()
    await onramp.say(made.id, 'paymentReceived')
    await onramp.becomes(cryptoOrder, 'paymentReceived')
    onramp.clock.advance(10 * HOUR_MS)
    await eventually(() => requests(cryptoOrder.order_id).includes('extend'))
    await onramp.say(made.id, 'refunded')
    await eventually(() => requests(cryptoOrder.order_id).includes('release'))
    expect(onramp.payments.requestsOf(cryptoOrder.order_id).at(-1)).toEqual({
      what: 'release',
      orderId: cryptoOrder.order_id,
      expires_at: cryptoOrder.expires_at,
    })
  })
})
