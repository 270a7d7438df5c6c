import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import type { OnrampStatus } from '@causeway/contracts'
import {
  BANXA_ACCOUNT,
  noticeBody,
  startBanxaFixture,
  type BanxaFixture,
} from '@causeway/rails/tests/banxa-fixture'
import { startForTests, type RunningOnramp } from './running-onramp.ts'

let banxa: BanxaFixture
let onramp: RunningOnramp
beforeAll(async () => {
  banxa = await startBanxaFixture()
  onramp = await startForTests({
    account: { provider: 'banxa', apiUrl: banxa.server.url(), ...BANXA_ACCOUNT },
    // One test waits for the timeout of a request to the provider.
    timeoutFactor: 2,
  })
})
afterEach(async () => {
  await banxa.fault('ok', 'all')
})
afterAll(async () => {
  await onramp.stop()
  await banxa.stop()
})

const TAKEN = { ok: true, value: { received: true } }
const post = ({ headers, body }: { headers: object; body: Uint8Array }) =>
  onramp.notice(Buffer.from(body).toString(), { ...headers }, 'banxa')
/** Changes the order's status at Banxa and posts its notice. @returns the answer */
const becomes = async (onrampOrderId: string, status: OnrampStatus, hash?: string) => {
  await banxa.say(onrampOrderId, status, hash)
  const notice = banxa.notices().at(-1)
  if (!notice) throw new Error('no notice')
  return post(notice)
}
const statusesOf = async (id: string) => (await onramp.merchantEvents(id)).map(({ data }) => data['status'])
const reads = () => banxa.server.calls.filter((call) => call.startsWith('GET')).length

describe('an order at Banxa', () => {
  it('is opened with its checkout, and its events contain its keys', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchase({ fiat: 'EUR' })
    const order = banxa.orders.ofPurchase(made.id)
    expect(made).toMatchObject({
      providerOrderId: order.id,
      status: 'pendingPayment',
      checkoutUrl: `${banxa.server.url()}/checkout/${order.id}`,
      fiatAmount: '31.5',
    })
    expect(await becomes(made.id, 'paymentReceived')).toEqual(TAKEN)
    expect(await becomes(made.id, 'cryptoTransferred', '0xabc')).toEqual(TAKEN)
    expect((await onramp.merchantEvents(made.id)).at(-1)).toEqual({
      event: 'ramping.status_changed',
      data: {
        id: made.id,
        banxaOrderId: order.id,
        status: 'cryptoTransferred',
        orderType: 'BUY',
        fiat: 'EUR',
        fiatAmount: '31.5',
        crypto: 'BTC',
        cryptoAmount: '0.0005',
        blockchain: 'BTC',
        transactionHash: '0xabc',
        orderStatusUrl: order.orderStatusUrl,
        banxaWebhook: { status: 'cryptoTransferred', order_id: order.id },
      },
    })
    expect(await becomes(made.id, 'complete')).toEqual(TAKEN)
    expect(await statusesOf(made.id)).toEqual(['paymentReceived', 'cryptoTransferred', 'completed'])
    await eventually(() => onramp.payments.requestsOf(cryptoOrder.order_id).at(-1)?.what === 'release')
  })

  it('is created once by many concurrent calls', async () => {
    const cryptoOrder = onramp.payments.newCryptoOrder()
    const before = banxa.orders.bodies.length
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => onramp.create(cryptoOrder)))
    const ids = outcomes.map((outcome) => (outcome.ok ? outcome.value.onramp.providerOrderId : outcome.code))
    expect(new Set(ids).size).toBe(1)
    expect(banxa.orders.bodies.length - before).toBe(1)
  })

  it('is created again after a creation without an answer; the orphan has no effect', async () => {
    const cryptoOrder = onramp.payments.newCryptoOrder()
    await banxa.fault('after_effect_timeout', 'effect')
    expect(await onramp.create(cryptoOrder)).toEqual({ ok: false, code: 'internal_error' })
    await banxa.fault('ok', 'all')
    const unseen = banxa.orders.bodies.at(-1)?.externalOrderId ?? ''
    const orphan = banxa.orders.ofPurchase(unseen)
    expect(await becomes(unseen, 'waitingPayment')).toEqual(TAKEN)
    expect(await onramp.read(cryptoOrder)).toEqual({ ok: false, code: 'resource_not_found' })
    const made = await onramp.create(cryptoOrder)
    expect(made).toMatchObject({ ok: true, variant: 'existing', value: { onramp: { id: unseen } } })
    orphan.status = 'expired'
    expect(await post(banxa.sign(noticeBody(orphan)))).toEqual(TAKEN)
    expect(await onramp.read(cryptoOrder)).toMatchObject({ value: { onramp: { status: 'pendingPayment' } } })
    expect(onramp.payments.cryptoOrder(cryptoOrder.order_id)?.status).toBe('pending')
  })

  it.each(['cancelled', 'declined', 'expired', 'refunded'] as const)(
    'cancels its crypto order when it ends as %s, and changes nothing when it revives',
    async (status) => {
      const { cryptoOrder, onramp: made } = await onramp.purchase()
      await becomes(made.id, status)
      await eventually(() => onramp.payments.cryptoOrder(cryptoOrder.order_id)?.status === 'cancelled')
      banxa.orders.ofPurchase(made.id).updatedAt = '2999-01-01T00:00:00.000000Z'
      expect(await becomes(made.id, 'paymentReceived')).toEqual(TAKEN)
      expect(await becomes(made.id, 'complete')).toEqual(TAKEN)
      expect(await statusesOf(made.id)).toEqual([status])
      expect(await onramp.read(cryptoOrder)).toMatchObject({ value: { onramp: { status } } })
    },
  )

  it('emits an event for each change within a second, or with an unreadable date', async () => {
    const { onramp: made } = await onramp.purchase()
    const order = banxa.orders.ofPurchase(made.id)
    const report = async (status: string, updatedAt: string) => {
      Object.assign(order, { status, updatedAt })
      expect(await post(banxa.sign(noticeBody(order)))).toEqual(TAKEN)
    }
    await report('waitingPayment', '2026-03-01T12:00:00.000000Z')
    await report('paymentReceived', '2026-03-01T12:00:00.000000Z')
    await report('extraVerification', '2026-03-0112:00:00')
    await report('waitingPayment', '2026-03-01T12:00:00.000000Z')
    await report('coinTransferred', 'soon')
    await report('paymentReceived', 'soon')
    expect(await statusesOf(made.id)).toEqual([
      'waitingPayment',
      'paymentReceived',
      'extraVerification',
      'coinTransferred',
    ])
  })
})

describe('a notice of Banxa', () => {
  it('is used only for its order: the status that it states is not trusted', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchase()
    const order = { ...banxa.orders.ofPurchase(made.id), status: 'complete' }
    expect(await post(banxa.sign(noticeBody(order)))).toEqual(TAKEN)
    expect(await onramp.read(cryptoOrder)).toMatchObject({ value: { onramp: { status: 'pendingPayment' } } })
    expect(await onramp.merchantEvents(made.id)).toEqual([])
  })

  it('is acknowledged when repeated, without reading the order again', async () => {
    const { onramp: made } = await onramp.purchase()
    await becomes(made.id, 'waitingPayment')
    const notice = banxa.notices().at(-1)
    if (!notice) throw new Error('no notice')
    const before = reads()
    for (let n = 0; n < 3; n += 1) expect(await post(notice)).toEqual(TAKEN)
    expect(reads()).toBe(before)
    expect(await statusesOf(made.id)).toEqual(['waitingPayment'])
  })

  it("is not mistaken for a repetition of another order's notice in the same millisecond", async () => {
    const purchases = [await onramp.purchase(), await onramp.purchase()]
    const nonce = String(onramp.clock.outsideMs())
    for (const { onramp: made } of purchases) {
      const order = banxa.orders.ofPurchase(made.id)
      Object.assign(order, { status: 'waitingPayment', updatedAt: '2999-01-01T00:00:00.000000Z' })
      expect(await post(banxa.sign(noticeBody(order), nonce))).toEqual(TAKEN)
      expect(await statusesOf(made.id)).toEqual(['waitingPayment'])
    }
  })

  it.each(['unreachable', 'throttle'] as const)(
    'is accepted while Banxa fails (%s): the order is read once it answers',
    async (mode) => {
      const { cryptoOrder, onramp: made } = await onramp.purchase()
      await banxa.server.setFault(mode, 'all')
      expect(await becomes(made.id, 'paymentReceived')).toEqual(TAKEN)
      expect(await statusesOf(made.id)).toEqual([])
      await banxa.fault('ok', 'all')
      onramp.clock.advance(5 * 60_000)
      await onramp.becomes(cryptoOrder, 'paymentReceived')
      expect(await statusesOf(made.id)).toEqual(['paymentReceived'])
    },
  )

  it('is accepted when its order cannot be read: the poller reads it next', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchase()
    banxa.server.script(500, '', true)
    expect(await becomes(made.id, 'paymentReceived')).toEqual(TAKEN)
    await onramp.becomes(cryptoOrder, 'paymentReceived')
  })

  it("is accepted without effect for somebody else's order or an identity check", async () => {
    for (const body of ['{"order_id":"0123456789abcdef"}', '{"kyc_status":"approved"}', '{}'])
      expect(await post(banxa.sign(body))).toEqual(TAKEN)
  })

  it('is refused when forged, stale or unsigned, without reading the order', async () => {
    const { onramp: made } = await onramp.purchase()
    const body = noticeBody(banxa.orders.ofPurchase(made.id))
    const refused = { ok: false, code: 'unauthorized' }
    const before = reads()
    const old = String(onramp.clock.outsideMs() - 301_000)
    const { headers } = banxa.sign(body)
    expect(await post(banxa.sign(body, old))).toEqual(refused)
    expect(await post({ headers, body: Buffer.from(body.replace('pendingPayment', 'complete')) })).toEqual(
      refused,
    )
    expect(await post({ headers: {}, body: Buffer.from(body) })).toEqual(refused)
    expect(await post({ headers: { authorization: 'Bearer x' }, body: Buffer.from(body) })).toEqual(refused)
    expect(await onramp.notice(body, headers as Record<string, string>, 'provider')).toEqual({
      ok: false,
      code: 'resource_not_found',
    })
    expect(reads()).toBe(before)
  })
})
