import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId, queryNone } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { EXPECTED_URL } from '@causeway/contracts'
import { HOUR_MS, startForTests, type RunningOnramp } from './running-onramp.ts'

let onramp: RunningOnramp
beforeAll(async () => {
  // Some tests wait for the timeout of a request to the provider.
  onramp = await startForTests({ timeoutFactor: 2 })
})
afterAll(async () => {
  await onramp.stop()
})
const notFound = { ok: false, code: 'resource_not_found' }

type Body = { fiat: string; fiat_amount?: string | number; return_url?: string }

describe('creating', () => {
  it('returns the new order, and the same order as long as it is open', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchase({ fiat: 'EUR', fiat_amount: 31 })
    expect(made).toEqual({
      id: expect.stringMatching(/^onr_/),
      orderId: cryptoOrder.order_id,
      providerOrderId: expect.stringMatching(/^sbr_/),
      status: 'pendingPayment',
      checkoutUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/buy\/sbr_/),
      fiat: 'EUR',
      fiatAmount: '31',
      crypto: 'BTC',
      cryptoAmount: '0.0005',
      blockchain: 'BTC',
      createdAt: onramp.clock.now().toISOString(),
      expiresAt: new Date(onramp.clock.nowMs() + 72 * HOUR_MS).toISOString(),
    })
    expect(await onramp.create(cryptoOrder)).toEqual({
      ok: true,
      variant: 'existing',
      value: { onramp: made },
    })
    expect(await onramp.read(cryptoOrder)).toEqual({ ok: true, value: { onramp: made } })
    expect(await onramp.merchantEvents(made.id)).toEqual([])
  })

  it('creates one order at the provider for concurrent calls', async () => {
    const cryptoOrder = onramp.payments.newCryptoOrder()
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => onramp.create(cryptoOrder)))
    const ids = outcomes.map((outcome) => (outcome.ok ? outcome.value.onramp.providerOrderId : outcome.code))
    expect(new Set(ids).size).toBe(1)
    expect(outcomes.filter((outcome) => outcome.ok && outcome.variant === 'created')).toHaveLength(1)
  })

  it("is refused in the same way for another partner's order and a missing one", async () => {
    const { cryptoOrder } = await onramp.purchase()
    for (const stranger of [
      { ...cryptoOrder, partner_id: newId('partner') },
      { ...cryptoOrder, order_id: newId('cryptoOrder') },
    ]) {
      expect(await onramp.create(stranger)).toEqual(notFound)
      expect(await onramp.read(stranger)).toEqual(notFound)
    }
    expect(await onramp.read(onramp.payments.newCryptoOrder())).toEqual(notFound)
  })

  it.each(['underpaid', 'paid', 'expired', 'cancelled', 'refunded'] as const)(
    'is refused for an order that is %s',
    async (status) => {
      const cryptoOrder = onramp.payments.newCryptoOrder({ status })
      expect(await onramp.create(cryptoOrder)).toEqual({
        ok: false,
        code: 'invalid_state',
        details: [{ from: status }],
      })
    },
  )

  it.each<[Body & { more?: number }, string, string, string?, string?]>([
    [
      { fiat: 'eur' },
      'fiat',
      'invalid_value',
      'the ISO 4217 code of a currency in circulation',
      'Did you mean EUR?',
    ],
    [{ fiat: 'BTC' }, 'fiat', 'invalid_value', 'the ISO 4217 code of a currency in circulation'],
    [{ fiat: 'XXX' }, 'fiat', 'invalid_value', 'the ISO 4217 code of a currency in circulation'],
    [
      { fiat: 'EUR', fiat_amount: 0 },
      'fiat_amount',
      'invalid_value',
      'more than 0, with at most 12 digits before the decimal point and 2 after it',
    ],
    [
      { fiat: 'EUR', fiat_amount: '1.234' },
      'fiat_amount',
      'invalid_value',
      'more than 0, with at most 12 digits before the decimal point and 2 after it',
    ],
    [{ fiat: 'EUR', return_url: 'http://shop.example' }, 'return_url', 'not_https', EXPECTED_URL],
    [{ fiat: 'EUR', return_url: 'shop' }, 'return_url', 'invalid_value', EXPECTED_URL],
    [{ fiat: 'EUR', more: 1 }, 'more', 'unknown_field'],
  ])('refuses the body %j by field', async (body, field, reason, ...[expected, hint]) => {
    expect(await onramp.create(onramp.payments.newCryptoOrder(), body)).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [
        {
          field,
          reason,
          ...(expected === undefined ? {} : { expected }),
          ...(hint !== undefined && { hint }),
        },
      ],
    })
  })
})

it('leaves an open outcome when the database cannot store the order, and the next call finds it', async () => {
  const run = (text: string) => queryNone({ name: `test.${text.slice(0, 20)}`, text })(onramp.db)
  const cryptoOrder = onramp.payments.newCryptoOrder()
  await run(`CREATE FUNCTION fail_update() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$`)
  await run(`CREATE TRIGGER fail_update BEFORE UPDATE ON onramp_orders FOR EACH ROW
    WHEN (OLD.order_id = '${cryptoOrder.order_id}') EXECUTE FUNCTION fail_update()`)
  const lost = await onramp.create(cryptoOrder)
  await run('DROP FUNCTION fail_update() CASCADE')
  expect(lost).toEqual({ ok: false, code: 'internal_error' })
  expect(await onramp.create(cryptoOrder)).toMatchObject({ ok: true, variant: 'existing' })
})

describe('a provider at fault', () => {
  it.each([
    ['unreachable', 'temporarily_unavailable'],
    ['refuse', 'provider_error'],
  ])('creates nothing, frees the slot and releases the crypto order: %s', async (mode, code) => {
    const cryptoOrder = onramp.payments.newCryptoOrder()
    await onramp.fault(mode)
    const refused = await onramp.create(cryptoOrder)
    await onramp.fault('ok')
    expect(refused).toEqual({ ok: false, code })
    expect(onramp.payments.requestsOf(cryptoOrder.order_id).map(({ what }) => what)).toEqual([
      'create',
      'release',
    ])
    expect(await onramp.read(cryptoOrder)).toEqual(notFound)
    expect(await onramp.create(cryptoOrder)).toMatchObject({ ok: true, variant: 'created' })
  })

  it('returns the order that was created without an answer at the next call', async () => {
    const cryptoOrder = onramp.payments.newCryptoOrder()
    await onramp.fault('after_effect_timeout')
    const lost = await onramp.create(cryptoOrder)
    await onramp.fault('ok')
    expect(lost).toEqual({ ok: false, code: 'internal_error' })
    expect(await onramp.create(cryptoOrder)).toMatchObject({ ok: true, variant: 'existing' })
  })

  it('finds the order that was created without an answer by the poller, without another call', async () => {
    const cryptoOrder = onramp.payments.newCryptoOrder()
    await onramp.fault('after_effect_timeout')
    await onramp.create(cryptoOrder)
    await onramp.fault('ok')
    onramp.clock.advance(31_000)
    await onramp.becomes(cryptoOrder, 'pendingPayment')
  })

  it('is polled when it sends no notices', async () => {
    const { cryptoOrder, onramp: made } = await onramp.purchase()
    onramp.noticeRelay.setRefusing(true)
    await onramp.say(made.id, 'paymentReceived')
    await eventually(() => onramp.noticeRelay.refused() > 0)
    expect(await onramp.read(cryptoOrder)).toMatchObject({ value: { onramp: { status: 'pendingPayment' } } })
    onramp.clock.advance(5 * 60_000)
    await onramp.becomes(cryptoOrder, 'paymentReceived')
    onramp.noticeRelay.setRefusing(false)
    expect((await onramp.merchantEvents(made.id)).map(({ data }) => data['status'])).toEqual([
      'paymentReceived',
    ])
  })
})
