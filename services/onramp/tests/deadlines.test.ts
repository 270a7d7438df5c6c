import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { statement } from '@causeway/chassis'
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

const toldOf = async (id: string) =>
  (await onramp.told(id)).map(({ event, data }) => [event, data['reason'] ?? null])
const findPurchases = statement({
  name: 'test.find-purchases',
  text: 'SELECT id FROM onramp_orders WHERE order_id = $1',
  row: z.object({ id: z.string() }),
})
const KYC = ['ramping.kyc_pending', null]
const TIMEOUT = ['ramping.status_changed', 'kyc_timeout_72h']
const isTold = (id: string, expected: unknown[]) =>
  eventually(async () => JSON.stringify(await toldOf(id)) === JSON.stringify(expected))

describe('an open onramp order', () => {
  it('extends its invoice to the hard cap at ten hours, not before, and tells it once', async () => {
    const { invoice, onramp: made } = await onramp.purchase()
    await onramp.say(made.id, 'extraVerification')
    await onramp.becomes(invoice, 'extraVerification')
    const cap = new Date(Date.parse(made.createdAt) + 72 * HOUR_MS).toISOString()
    onramp.clock.advance(10 * HOUR_MS - 1_000)
    const later = await onramp.purchase()
    await onramp.say(later.onramp.id, 'declined')
    await eventually(() => onramp.payments.invoice(later.invoice.order_id)?.status === 'cancelled')
    expect(onramp.payments.invoice(invoice.order_id)?.expires_at).toBe(invoice.expires_at)
    onramp.clock.advance(1_000)
    await eventually(async () => (await onramp.told(made.id)).length === 2)
    expect(onramp.payments.invoice(invoice.order_id)?.expires_at).toBe(cap)
    expect((await onramp.told(made.id))[1]).toEqual({
      event: 'ramping.kyc_pending',
      data: {
        id: made.id,
        orderId: invoice.order_id,
        providerStatus: 'extraVerification',
        originalExpiresAt: invoice.expires_at,
        newExpiresAt: cap,
        hardCapAt: cap,
        ageHours: 10,
      },
    })
  })

  it('ends at the hard cap: the invoice cancelled by force, the end told with its reason', async () => {
    const { invoice, onramp: made } = await onramp.purchase()
    onramp.clock.advance(10 * HOUR_MS)
    await isTold(made.id, [KYC])
    onramp.clock.advance(62 * HOUR_MS - 1_000)
    expect(await onramp.read(invoice)).toMatchObject({ value: { onramp: { status: 'pendingPayment' } } })
    onramp.clock.advance(1_000)
    await eventually(() => onramp.payments.invoice(invoice.order_id)?.status === 'cancelled')
    expect(onramp.payments.askedOf(invoice.order_id).at(-1)).toEqual({
      what: 'cancel',
      orderId: invoice.order_id,
      cause: 'ramping_kyc_timeout',
    })
    await isTold(made.id, [KYC, TIMEOUT])
    const [, end] = await onramp.told(made.id)
    expect(end?.data).toMatchObject({
      status: 'expired',
      reason: 'kyc_timeout_72h',
      providerWebhook: { status: 'pendingPayment', order_id: made.providerOrderId },
    })
    await onramp.say(made.id, 'complete')
    await eventually(() => onramp.door.posts.length === 1)
    expect(await toldOf(made.id)).toEqual([KYC, TIMEOUT])
  })

  it('that succeeded or failed before is neither extended nor ended', async () => {
    const good = await onramp.purchase()
    const bad = await onramp.purchase()
    await onramp.say(good.onramp.id, 'complete')
    await onramp.say(bad.onramp.id, 'declined')
    await onramp.becomes(good.invoice, 'complete')
    await onramp.becomes(bad.invoice, 'declined')
    const marker = await onramp.purchase()
    onramp.clock.advance(73 * HOUR_MS)
    await isTold(marker.onramp.id, [KYC, TIMEOUT])
    expect(await toldOf(good.onramp.id)).toEqual([['ramping.status_changed', null]])
    expect(await toldOf(bad.onramp.id)).toEqual([['ramping.status_changed', null]])
    expect(onramp.payments.invoice(good.invoice.order_id)?.status).toBe('pending')
  })

  it('that its provider has never opened gives its invoice back at the hard cap', async () => {
    const invoice = onramp.payments.newInvoice()
    await onramp.fault('reset')
    expect(await onramp.create(invoice)).toMatchObject({ ok: false })
    onramp.clock.advance(72 * HOUR_MS - 1)
    expect(onramp.payments.askedOf(invoice.order_id).at(-1)?.what).toBe('hold')
    onramp.clock.advance(1)
    await eventually(() => onramp.payments.askedOf(invoice.order_id).at(-1)?.what === 'release')
    await eventually(async () => (await onramp.db.query(findPurchases, [invoice.order_id])).length === 0)
    await onramp.fault('ok')
    expect(await onramp.create(invoice)).toMatchObject({ ok: true, variant: 'created' })
  })

  it('whose invoice was paid meanwhile is not told to be pending', async () => {
    const { invoice, onramp: made } = await onramp.purchase()
    onramp.payments.setStatus(invoice.order_id, 'paid')
    const marker = await onramp.purchase()
    onramp.clock.advance(10 * HOUR_MS)
    await isTold(marker.onramp.id, [KYC])
    await eventually(() => onramp.payments.askedOf(invoice.order_id).some(({ what }) => what === 'extend'))
    expect(await toldOf(made.id)).toEqual([])
  })
})

describe('the clock', () => {
  it('told by three replicas at once, tells each deadline of each order exactly once', async () => {
    await onramp.addReplica()
    await onramp.addReplica()
    const purchases = await Promise.all(Array.from({ length: 40 }, () => onramp.purchase()))
    onramp.clock.advance(10 * HOUR_MS)
    for (const { onramp: made } of purchases) await isTold(made.id, [KYC])
    onramp.clock.advance(62 * HOUR_MS)
    for (const { onramp: made } of purchases) await isTold(made.id, [KYC, TIMEOUT])
    await eventually(() =>
      purchases.every(({ invoice }) => onramp.payments.invoice(invoice.order_id)?.status === 'cancelled'),
    )
  })

  it('catches up in order after the service was away for all of it', async () => {
    const { invoice, onramp: made } = await onramp.purchase()
    await onramp.stopReplicas()
    onramp.clock.advance(80 * HOUR_MS)
    await onramp.addReplica()
    await isTold(made.id, [KYC, TIMEOUT])
    await eventually(() => onramp.payments.invoice(invoice.order_id)?.status === 'cancelled')
  })

  it.each(['extend', 'cancel'])(
    'asks payments again when it was away at %s, and tells once',
    async (step) => {
      const { invoice, onramp: made } = await onramp.purchase()
      if (step === 'cancel') {
        onramp.clock.advance(10 * HOUR_MS)
        await isTold(made.id, [KYC])
      }
      onramp.payments.setDown(true)
      onramp.clock.advance(step === 'extend' ? 10 * HOUR_MS : 62 * HOUR_MS)
      await eventually(() => onramp.payments.askedOf(invoice.order_id).at(-1)?.what === step)
      await onramp.stopReplicas()
      onramp.payments.setDown(false)
      await onramp.addReplica()
      onramp.clock.advance(20_000)
      await isTold(made.id, step === 'extend' ? [KYC] : [KYC, TIMEOUT])
      await eventually(
        () =>
          onramp.payments.invoice(invoice.order_id)?.status === (step === 'extend' ? 'pending' : 'cancelled'),
      )
    },
  )
})
