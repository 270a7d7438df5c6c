import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@causeway/chassis/testing'
import { signSandboxPost } from '@causeway/rails/sandbox'
import { SECRET, startForTests, type RunningOnramp } from './running-onramp.ts'

let onramp: RunningOnramp
beforeAll(async () => {
  onramp = await startForTests()
})
afterAll(async () => {
  await onramp.stop()
})

const statusesOf = async (id: string) => (await onramp.merchantEvents(id)).map(({ data }) => data['status'])
const lastPost = () => {
  const post = onramp.noticeRelay.posts.at(-1)
  if (!post) throw new Error('No notice came')
  return post
}
const sign = (body: string, secret = SECRET, at = onramp.clock.now()) => ({
  'sandbox-signature': signSandboxPost(secret, Buffer.from(body), at),
})

describe('a change of status', () => {
  it('is emitted to the merchant with the keys of the provider, each one and in order', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchase()
    const path = ['waitingPayment', 'paymentReceived', 'extraVerification', 'inProgress', 'coinTransferred']
    for (const status of path) await onramp.say(made.id, status)
    await onramp.say(made.id, 'cryptoTransferred', '0xabc')
    await onramp.becomes(cryptoOrder, 'cryptoTransferred')
    expect(await statusesOf(made.id)).toEqual([...path, 'cryptoTransferred'])
    const events = await onramp.events()
    expect(events.at(-1)).toMatchObject({ name: 'ramping.status_changed', partners: [] })
    expect(events.at(-1)?.merchant).toEqual({
      merchant_id: cryptoOrder.customer_id,
      integration_id: null,
      event: 'ramping.status_changed',
      body: {
        event: 'ramping.status_changed',
        data: {
          id: made.id,
          providerOrderId: made.providerOrderId,
          status: 'cryptoTransferred',
          orderType: 'CRYPTO-BUY',
          fiat: 'EUR',
          fiatAmount: '30.00',
          crypto: 'BTC',
          cryptoAmount: '0.0005',
          blockchain: 'BTC',
          transactionHash: '0xabc',
          orderStatusUrl: `${made.checkoutUrl}/status`,
          providerWebhook: { status: 'cryptoTransferred', order_id: made.providerOrderId },
        },
      },
    })
    expect(onramp.payments.cryptoOrder(cryptoOrder.order_id)?.status).toBe('pending')
  })

  it.each(['complete', 'completed'])(
    'ends the order with success at %s and releases the crypto order',
    async (status) => {
      const { cryptoOrder, onramp: made } = await onramp.purchase()
      await onramp.say(made.id, status)
      await onramp.becomes(cryptoOrder, 'complete')
      await eventually(() => onramp.payments.requestsOf(cryptoOrder.order_id).length === 2)
      expect(onramp.payments.requestsOf(cryptoOrder.order_id)).toEqual([
        { what: 'create', orderId: cryptoOrder.order_id },
        { what: 'release', orderId: cryptoOrder.order_id },
      ])
      expect(await onramp.create(cryptoOrder)).toMatchObject({ variant: 'existing' })
    },
  )

  it.each(['cancelled', 'declined', 'expired', 'refunded'])(
    'cancels the crypto order at %s',
    async (status) => {
      const { cryptoOrder, onramp: made } = await onramp.purchase()
      await onramp.say(made.id, status)
      await eventually(() => onramp.payments.cryptoOrder(cryptoOrder.order_id)?.status === 'cancelled')
      expect(onramp.payments.requestsOf(cryptoOrder.order_id).at(-1)).toEqual({
        what: 'cancelOrder',
        orderId: cryptoOrder.order_id,
        cause: 'onramp_failed',
      })
      expect(await statusesOf(made.id)).toEqual([status])
    },
  )

  it('changes nothing after the end for any status that the provider states', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchase()
    await onramp.say(made.id, 'expired')
    await onramp.say(made.id, 'complete')
    await onramp.say(made.id, 'paymentReceived')
    const marker = await onramp.purchase()
    await onramp.say(marker.onramp.id, 'waitingPayment')
    await eventually(() => onramp.noticeRelay.posts.filter(({ body }) => body.includes(made.id)).length === 3)
    await onramp.becomes(cryptoOrder, 'expired')
    expect(await statusesOf(made.id)).toEqual(['expired'])
  })
})

describe('a notice', () => {
  /** A purchase with one emitted change, and the notice of it as it was posted. */
  const noticed = async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchase()
    await onramp.say(made.id, 'waitingPayment')
    await onramp.becomes(cryptoOrder, 'waitingPayment')
    return { cryptoOrder, made, post: lastPost() }
  }

  it('is accepted without effect when it comes twice', async () => {
    const { made, post } = await noticed()
    const again = await onramp.notice(post.body, { 'sandbox-signature': post.signature })
    expect(again).toEqual({ ok: true, value: { received: true } })
    expect(await statusesOf(made.id)).toEqual(['waitingPayment'])
  })

  it('is accepted without effect when it is outdated', async () => {
    const { cryptoOrder, made, post } = await noticed()
    await onramp.say(made.id, 'paymentReceived')
    await onramp.becomes(cryptoOrder, 'paymentReceived')
    expect(await onramp.notice(post.body, sign(post.body))).toMatchObject({ ok: true })
    expect(await statusesOf(made.id)).toEqual(['waitingPayment', 'paymentReceived'])
  })

  it('is refused without effect when forged, changed, unsigned, stale or from the future', async () => {
    const { cryptoOrder, made, post } = await noticed()
    const forged = post.body
      .replace('waitingPayment', 'complete')
      .replace(/"changed_at":"\d{4}/, '"changed_at":"2999')
    const old = new Date(onramp.clock.nowMs() - 301_000)
    const ahead = new Date(onramp.clock.nowMs() + 302_000)
    const refused = { ok: false, code: 'unauthorized' }
    expect(await onramp.notice(forged, sign(forged, 'secret-of-somebody-else'))).toEqual(refused)
    expect(await onramp.notice(forged, { 'sandbox-signature': post.signature })).toEqual(refused)
    expect(await onramp.notice(forged, {})).toEqual(refused)
    expect(await onramp.notice(forged, sign(forged, SECRET, old))).toEqual(refused)
    expect(await onramp.notice(forged, sign(forged, SECRET, ahead))).toEqual(refused)
    expect(await onramp.read(cryptoOrder)).toMatchObject({ value: { onramp: { status: 'waitingPayment' } } })
    expect(await statusesOf(made.id)).toEqual(['waitingPayment'])
  })

  it('is refused without effect when its ids, texts, amounts or addresses are invalid', async () => {
    const { cryptoOrder, made, post } = await noticed()
    const { order, ...rest } = JSON.parse(post.body) as { order: Record<string, unknown> }
    const later = { ...order, status: 'complete', changed_at: '2999-01-01T00:00:00.000Z' }
    const hostile = ['\u0000', 'a\u0000b', '\ud800', 'x'.repeat(10_000), 1e21, ['a']]
    const fields = [
      ...['order_id', 'external_id', 'order_type', 'transaction_hash', 'fiat_amount', 'crypto_amount'],
      ...['checkout_url', 'order_status_url'],
    ]
    for (const field of fields)
      for (const value of [
        ...hostile,
        `https://buy.example/${field.endsWith('_url') ? '\u0000' : '\ud800'}`,
      ]) {
        const body = JSON.stringify({ ...rest, order: { ...later, [field]: value } })
        const answer = await onramp.notice(body, sign(body))
        expect([field, value, answer]).toEqual([field, value, { ok: false, code: 'invalid_request' }])
      }
    expect(await onramp.read(cryptoOrder)).toMatchObject({ value: { onramp: { status: 'waitingPayment' } } })
    expect(await statusesOf(made.id)).toEqual(['waitingPayment'])
  })

  it('is acknowledged for an unknown order, so that its sender stops', async () => {
    const { post } = await noticed()
    const { order, ...rest } = JSON.parse(post.body) as { order: Record<string, unknown> }
    const body = JSON.stringify({
      ...rest,
      order: { ...order, order_id: 'nobody-knows', external_id: 'neither' },
    })
    expect(await onramp.notice(body, sign(body))).toEqual({ ok: true, value: { received: true } })
  })

  it('is refused with an unknown status, an invalid form or an unknown provider', async () => {
    const { made, post } = await noticed()
    const unknown = post.body.replace('waitingPayment', 'teleported')
    for (const body of [unknown, '{}', 'not json', ''])
      expect(await onramp.notice(body, sign(body))).toEqual({ ok: false, code: 'invalid_request' })
    expect(await onramp.notice(post.body, sign(post.body), 'banxa')).toEqual({
      ok: false,
      code: 'resource_not_found',
    })
    expect(await statusesOf(made.id)).toEqual(['waitingPayment'])
  })
})
