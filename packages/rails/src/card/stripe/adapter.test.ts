import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { checkoutRequest } from '../../../tests/card-fixture.ts'
import { describeCardProcessor } from '../../../tests/card-processor-suite.ts'
import { startStripeFixture, type StripeFixture } from '../../../tests/stripe/fixture.ts'
import { effectOf } from '../effect.ts'
import { createStripeProcessor } from './adapter.ts'

describeCardProcessor('Stripe', startStripeFixture)

describe('Stripe alone', () => {
  let fixture: StripeFixture

  beforeEach(async () => {
    fixture = await startStripeFixture()
  })
  afterEach(async () => {
    await fixture.stop()
  })

  const paid = async (change: Parameters<typeof checkoutRequest>[1] = {}) => {
    const request = checkoutRequest(fixture.noticeUrl, change)
    const { processorOrderId } = await fixture.processor.createCheckout(request)
    await fixture.pay(request.orderKey, 'completed')
    return { request, processorOrderId }
  }
  const refund = (
    processorOrderId: string,
    { amountCents = 100, refundId = 'rfd_1', processor = fixture.processor } = {},
  ) => processor.refund({ processorOrderId, refundId, amountCents, description: null, orderLines: null })
  const failureOf = (asked: Promise<unknown>) =>
    asked.then(
      () => 'done',
      (error: unknown) => (error instanceof Error && 'failure' in error ? error.failure : error),
    )

  test('does not let the SDK repeat a refund whose connection was cut', async () => {
    const { processorOrderId } = await paid()
    await fixture.fault('reset', 'effect')
    expect(await failureOf(refund(processorOrderId))).toBe('reset')
    expect(fixture.calls.filter((call) => call === 'POST /v1/refunds')).toHaveLength(1)
  })

  test('reports a refund as not sent when its payment cannot be read first', async () => {
    const { processorOrderId } = await paid()
    for (const mode of ['timeout', 'reset', 'error'] as const) {
      await fixture.fault(mode, 'all')
      expect(await failureOf(refund(processorOrderId, { processor: fixture.impatient }))).toBe('unreachable')
    }
    expect(fixture.calls).not.toContain('POST /v1/refunds')
  })

  test('reports a throttled refund as not sent', async () => {
    const { processorOrderId } = await paid()
    await fixture.server.setFault('throttle', 'effect')
    const failed = await refund(processorOrderId).catch((error: unknown) => error)
    expect(failed).toMatchObject({ failure: 'throttled', retryable: true })
    expect(effectOf(failed)).toBe('not_sent')
  })

  test('leaves the outcome unknown while another request uses the same idempotency key', async () => {
    const { processorOrderId } = await paid()
    fixture.server.occupy('rfd_busy')
    const failed = await refund(processorOrderId, { refundId: 'rfd_busy' }).catch((error: unknown) => error)
    expect(effectOf(failed)).toBe('unknown')
  })

  test('reports a wrong API key as refused', async () => {
    const stranger = createStripeProcessor({ ...fixture.options, secretKey: 'sk_test_wrong' })
    expect(await failureOf(stranger.createCheckout(checkoutRequest(fixture.noticeUrl)))).toBe('refused')
    await stranger.close()
  })

  test.each([
    ['KWD', 12_345, 'thousandths that are not rounded to the ten'],
    ['MGA', 40_001, 'hundredths where Stripe counts whole units'],
    ['EUR', 100_000_000, 'nine digits'],
  ])('refuses %s %d: %s', async (currency, totalCents) => {
    const asked = fixture.processor.createCheckout(
      checkoutRequest(fixture.noticeUrl, { currency, totalCents, refundableCents: totalCents }),
    )
    expect(await failureOf(asked)).toBe('refused')
  })

  test('returns a buyer who gives up to the return URL where there is no failure URL', async () => {
    const returnUrl = 'https://shop.example/thanks'
    await fixture.processor.createCheckout(
      checkoutRequest(fixture.noticeUrl, { returnUrl, failureUrl: null }),
    )
    expect(fixture.lastForm()).toMatchObject({
      success_url: returnUrl,
      cancel_url: returnUrl,
      mode: 'payment',
      allowed_payment_method_types: { 0: 'card' },
    })
  })

  test('distinguishes pending and failed refunds, and does not count failed ones', async () => {
    const { request, processorOrderId } = await paid()
    fixture.addRefund(request.orderKey, 300, 'pending')
    fixture.addRefund(request.orderKey, 500, 'failed')
    fixture.addRefund(request.orderKey, 700, 'canceled')
    const payment = await fixture.processor.readPayment(processorOrderId)
    expect(payment.refundedCents).toBe(300)
    expect(payment.refunds.map(({ status }) => status)).toEqual(['failed', 'failed', 'pending'])
  })

  test('lists no refund of a payment made elsewhere, even with an unknown status', async () => {
    const since = new Date(Date.now() - 60_000)
    const [ours, elsewhere] = [await paid(), await paid()]
    fixture.addRefund(elsewhere.request.orderKey, 300, 'a status of tomorrow')
    fixture.disown(elsewhere.request.orderKey)
    fixture.addRefund(ours.request.orderKey, 500, 'succeeded')
    const { refunds } = await fixture.processor.refundsSince({ since, until: null, cursor: null })
    const isOfEither = (orderKey: string | null) =>
      orderKey === null || [ours, elsewhere].some(({ request }) => request.orderKey === orderKey)
    expect(refunds.filter(({ orderKey }) => isOfEither(orderKey))).toMatchObject([
      { orderKey: ours.request.orderKey, amountCents: 500 },
    ])
  })

  test.each(['warning_needs_response', 'warning_under_review', 'warning_closed', 'prevented'])(
    'ignores a dispute that is %s, because it took no money',
    async (status) => {
      const { request, processorOrderId } = await paid()
      fixture.addDispute(request.orderKey, { status })
      expect((await fixture.processor.readPayment(processorOrderId)).disputes).toEqual([])
    },
  )

  test('states no fee for a dispute whose fee is not booked yet', async () => {
    const { request, processorOrderId } = await paid()
    fixture.addDispute(request.orderKey, { balance_transactions: [] })
    expect((await fixture.processor.readPayment(processorOrderId)).disputes).toMatchObject([
      { feeCents: null, feeCurrency: null },
    ])
  })

  test('accepts irrelevant events and events of payments made elsewhere as genuine, without a notice', async () => {
    const nothing = { ok: true, notice: null }
    const event = (type: string, object: unknown) =>
      fixture.sign(JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } }))
    for (const { headers, body } of [
      event('customer.created', { id: 'cus_1' }),
      event('charge.refunded', { id: 'ch_1', payment_intent: 'pi_elsewhere' }),
      event('charge.dispute.created', { id: 'du_1', payment_intent: null }),
    ])
      expect(await fixture.processor.verifyNotice(headers, body, new Date())).toEqual(nothing)
  })

  test('fails for a notice whose payment cannot be looked up, so that Stripe retries it', async () => {
    await paid()
    await fixture.fault('error', 'all')
    const { headers, body } = fixture.sign(
      JSON.stringify({
        id: 'evt_1',
        object: 'event',
        type: 'charge.refunded',
        data: { object: { payment_intent: 'pi_1' } },
      }),
    )
    await expect(fixture.processor.verifyNotice(headers, body, new Date())).rejects.toMatchObject({
      failure: 'unavailable',
      retryable: true,
    })
  })

  test('supports no authorization request before a charge', () => {
    const { headers, body } = fixture.sign('{}')
    expect(fixture.processor.verifyAuthorization(headers, body, new Date())).toMatchObject({ ok: false })
  })
})
