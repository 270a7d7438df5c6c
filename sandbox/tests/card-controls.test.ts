import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { request } from 'undici'
import { type CardFixture, startCardFixture } from './card-fixture.ts'
import type { Answer } from './control.ts'

describe('card controls', () => {
  let fixture: CardFixture

  beforeEach(async () => {
    fixture = await startCardFixture()
  })
  afterEach(async () => {
    await fixture.stop()
  })

  const errorOf = ({ status, body }: Answer) => {
    const error = body['error'] as { code: string; details: unknown[] }
    return { status, code: error.code, details: error.details }
  }
  const paid = async (processor = fixture.parts, change = {}) => {
    const made = await fixture.checkout(change, processor)
    await fixture.post(`card-payments/${made.orderKey}`, { outcome: 'completed' })
    return made
  }

  test('gives a payment the outcome and the payer that the control call names', async () => {
    const { orderKey, processorOrderId } = await fixture.checkout()
    const request = { outcome: 'completed', payer_ip: '203.0.113.9', payer_email: 'payer@example.com' }
    expect(await fixture.post(`card-payments/${orderKey}`, request)).toEqual({
      status: 200,
      body: {
        order_key: orderKey,
        payment_id: processorOrderId,
        allowed: true,
        status: 'completed',
        paid_cents: 10_000,
      },
    })
    expect((await fixture.parts.readPayment(processorOrderId)).payer).toEqual({
      ip: '203.0.113.9',
      email: 'payer@example.com',
    })
  })

  test('limits a fault to calls whose response contains a text, and to a count', async () => {
    const [hurt, well] = [await paid(), await paid()]
    for (const { orderKey } of [hurt, well])
      await fixture.post(`card-refunds/${orderKey}`, { amount_cents: 7 })
    const fault = { target: 'card', mode: 'error', count: 2, calls: 'read', telling: hurt.orderKey }
    expect(await fixture.put('faults', fault)).toEqual({ status: 200, body: fault })
    const failed = { failure: 'unavailable' }
    await expect(fixture.parts.listRefunds(hurt.processorOrderId)).rejects.toMatchObject(failed)
    expect(await fixture.parts.listRefunds(well.processorOrderId)).toHaveLength(1)
    const all = { since: new Date(0), until: null, cursor: null }
    await expect(fixture.parts.refundsSince(all)).rejects.toMatchObject(failed)
    expect((await fixture.parts.refundsSince(all)).refunds).toHaveLength(2)
  })

  test('queries the platform about a named payer before the charge, with a genuine signature', async () => {
    const { orderKey, processorOrderId } = await fixture.checkout({ payerEmail: 'known@example.com' })
    await fixture.post(`card-payments/${orderKey}`, { outcome: 'completed', payer_ip: '203.0.113.9' })
    const [post, ...more] = fixture.platform.authorizationRequests
    expect(more).toEqual([])
    expect(
      fixture.parts.verifyAuthorization(post?.headers ?? {}, post?.body ?? Buffer.alloc(0), new Date()),
    ).toEqual({
      ok: true,
      request: { processorOrderId, orderKey, payerIp: '203.0.113.9', payerEmail: 'known@example.com' },
    })
    expect(
      fixture.full.verifyAuthorization(post?.headers ?? {}, post?.body ?? Buffer.alloc(0), new Date()),
    ).toEqual({
      ok: false,
      reason: 'malformed',
    })
  })

  test.each(['completed', 'processing'])(
    "does not end a blocked payer's payment as %s: it stays new",
    async (outcome) => {
      const { orderKey, processorOrderId } = await fixture.checkout()
      fixture.platform.setAuthorization('blocked')
      const answer = await fixture.post(`card-payments/${orderKey}`, { outcome, payer_ip: '203.0.113.9' })
      expect(answer).toMatchObject({ status: 200, body: { allowed: false, status: 'new', paid_cents: 0 } })
      expect(await fixture.parts.readPayment(processorOrderId)).toMatchObject({
        status: 'new',
        payer: { ip: null, email: null },
      })
      expect(fixture.platform.notices).toEqual([])
    },
  )

  test.each(['failing', 'nonsense'] as const)('charges nobody while the platform is %s', async (word) => {
    const { orderKey, processorOrderId } = await fixture.checkout()
    fixture.platform.setAuthorization(word)
    const request = { outcome: 'completed', payer_email: 'payer@example.com' }
    expect(errorOf(await fixture.post(`card-payments/${orderKey}`, request))).toMatchObject({
      status: 502,
      code: 'platform_unavailable',
    })
    expect((await fixture.parts.readPayment(processorOrderId)).status).toBe('new')
  })

  test('changes a final status, so that the platform can be tested with it', async () => {
    const { orderKey, processorOrderId } = await paid()
    await fixture.post(`card-payments/${orderKey}`, { outcome: 'expired' })
    expect(await fixture.parts.readPayment(processorOrderId)).toMatchObject({
      status: 'expired',
      paidCents: 10_000,
    })
  })

  test('waits for a checkout that is just being opened', async () => {
    const next = Number((await fixture.checkout()).orderKey) + 1
    const early = fixture.post(`card-payments/${next}`, { outcome: 'processing' })
    await fixture.checkout({ orderKey: String(next) })
    expect((await early).status).toBe(200)
  })

  test('answers 404 after its time limit for an order without a checkout', async () => {
    await fixture.stop()
    fixture = await startCardFixture({ timeoutFactor: 1 })
    const answers = await Promise.all([
      fixture.post('card-payments/9', { outcome: 'completed' }),
      fixture.post('chargebacks/9', {}),
      fixture.post('card-refunds/9', { amount_cents: 1 }),
    ])
    for (const answer of answers)
      expect(errorOf(answer)).toMatchObject({ status: 404, code: 'resource_not_found' })
  })

  test.each([
    ['nothing', {}, { amountCents: 10_000, currency: 'EUR' }],
    ['another amount', { amount_cents: 9_000 }, { amountCents: 9_000, currency: 'EUR' }],
    ['another currency', { amount_cents: 9_900, currency: 'USD' }, { amountCents: 9_900, currency: 'USD' }],
    ['null: unstated', { amount_cents: null }, { amountCents: null, currency: null }],
    ['null in a currency', { amount_cents: null, currency: 'USD' }, { amountCents: null, currency: null }],
  ])('states in a dispute of %s what it should', async (_, body, stated) => {
    const { orderKey, processorOrderId } = await paid()
    expect((await fixture.post(`chargebacks/${orderKey}`, body)).status).toBe(200)
    expect((await fixture.parts.readPayment(processorOrderId)).disputes).toMatchObject([stated])
  })

  test('opens one dispute of a payment, however often it is requested', async () => {
    const { orderKey, processorOrderId } = await paid()
    const first = await fixture.post(`chargebacks/${orderKey}`, {})
    expect(await fixture.post(`chargebacks/${orderKey}`, { amount_cents: 1 })).toEqual(first)
    expect((await fixture.parts.readPayment(processorOrderId)).disputes).toHaveLength(1)
  })

  test('names the payer in a dispute', async () => {
    const { orderKey, processorOrderId } = await paid()
    await fixture.post(`chargebacks/${orderKey}`, { payer_ip: '2001:db8::1' })
    expect((await fixture.parts.readPayment(processorOrderId)).payer.ip).toBe('2001:db8::1')
  })

  test('refuses to dispute or refund an unpaid payment', async () => {
    const { orderKey } = await fixture.checkout()
    expect(errorOf(await fixture.post(`chargebacks/${orderKey}`, {}))).toMatchObject({
      status: 409,
      code: 'not_paid',
    })
    expect(errorOf(await fixture.post(`card-refunds/${orderKey}`, { amount_cents: 1 }))).toMatchObject({
      status: 422,
      code: 'amount_too_large',
    })
  })

  test('lists the disputes of its processor in the periodic file, without amounts', async () => {
    const { orderKey } = await paid(fixture.full)
    await fixture.post(`chargebacks/${(await paid()).orderKey}`, {})
    const opened = await fixture.post(`chargebacks/${orderKey}`, { amount_cents: 5_000, currency: 'USD' })
    const answer = await request(`${fixture.sandbox.url()}/control/dispute-file`)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(await answer.body.text()).toBe(
      'dispute_id,order_key,disputed_at,dispute_amount_cents,dispute_currency,fee_cents,fee_currency\r\n' +
        `${String(opened.body['dispute_id'])},${orderKey},${String(opened.body['opened_at'])},,,1500,EUR\r\n`,
    )
  })

  test('answers 404 for the file of an unknown processor', async () => {
    const answer = await request(`${fixture.sandbox.url()}/control/dispute-file?processor=bank`)
    await answer.body.dump()
    expect(answer.statusCode).toBe(404)
  })

  test.each([
    ['card-payments', { outcome: 'paid' }, 'outcome', 'invalid_value'],
    ['card-payments', { outcome: 'completed', payer_ip: 'localhost' }, 'payer_ip', 'invalid_value'],
    ['card-payments', { outcome: 'completed', payer_email: 'nobody' }, 'payer_email', 'invalid_value'],
    ['card-payments', { outcome: 'completed', ip: '1.1.1.1' }, 'ip', 'unknown_field'],
    ['chargebacks', { amount_cents: 0 }, 'amount_cents', 'too_small'],
    ['chargebacks', { amount_cents: 1.5 }, 'amount_cents', 'invalid_type'],
    ['chargebacks', { currency: 'eur' }, 'currency', 'invalid_value'],
    ['card-refunds', {}, 'amount_cents', 'required'],
    ['card-refunds', { amount_cents: '1' }, 'amount_cents', 'invalid_type'],
  ])('refuses %s %j by field', async (path, body, field, reason) => {
    const { orderKey } = await fixture.checkout()
    expect(errorOf(await fixture.post(`${path}/${orderKey}`, body))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      details: [{ field, reason }],
    })
  })
})
