import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newPartner, startForTests, type RunningRefunds } from './running-refunds.ts'

let refunds: RunningRefunds
beforeAll(async () => {
  refunds = await startForTests()
})
afterAll(() => refunds.stop())

const notFound = { ok: false, code: 'resource_not_found' }

describe('a refund', () => {
  it("returns a part, then the rest: answers, list, the order's sum and one event each", async () => {
    const { partner, orderKey, orderId, processorOrderId } = await refunds.newOrder()
    const part = await refunds.refund(partner, orderKey, { amount_cents: 4_000, description: 'late' })
    expect(part).toEqual({
      ok: true,
      value: {
        order_key: orderKey,
        currency: 'EUR',
        refund: { amount_cents: 4_000, status: 'partially_refunded' },
        service_fee_payer: 'customer',
        max_refundable_cents: 10_000,
        refunded_cents: 4_000,
        remaining_refundable_cents: 6_000,
      },
    })
    const lines = [{ merchant_order_line_id: 'line-1', quantity: 2 }]
    const rest = await refunds.refund(partner, orderKey, { amount_cents: 6_000, order_lines: lines })
    expect(rest.ok && [rest.value.refund, rest.value.remaining_refundable_cents]).toEqual([
      { amount_cents: 6_000, status: 'refunded' },
      0,
    ])
    const made = await refunds.atProcessor(processorOrderId)
    expect(made.map(({ amountCents }) => amountCents)).toEqual([4_000, 6_000])
    expect(refunds.payments.countedCents(orderKey)).toBe(10_000)
    const listed = await refunds.list(partner, orderKey)
    const entry = {
      order_key: orderKey,
      currency: 'EUR',
      status: 'succeeded',
      source: 'api',
      created_at: expect.any(String),
      completed_at: expect.any(String),
    }
    const ids = made.map(({ refundId }) => refundId)
    expect(listed.ok && listed.value.refunds).toEqual([
      { ...entry, refund_id: ids[1], amount_cents: 6_000, description: null, order_lines: lines },
      { ...entry, refund_id: ids[0], amount_cents: 4_000, description: 'late', order_lines: null },
    ])
    const events = await refunds.eventsOf(orderKey)
    expect(events.map(({ name, partners }) => [name, partners[0]?.data['refund_id']])).toEqual([
      ['refund.completed', ids[0]],
      ['refund.completed', ids[1]],
    ])
    expect(events[0]?.partners[0]?.data).toMatchObject({ order_id: orderId, status: 'succeeded' })
    expect(await refunds.refund(partner, orderKey, { amount_cents: 1 })).toEqual({
      ok: false,
      code: 'order_not_paid',
    })
  })

  it('counts external refunds, and uses the subtotal as ceiling when the merchant bears the fee', async () => {
    const { partner, orderKey } = await refunds.newOrder({ service_fee_payer: 'merchant' })
    await refunds.refundElsewhere(orderKey, 9_000)
    expect(await refunds.refund(partner, orderKey, { amount_cents: 751 })).toEqual({
      ok: false,
      code: 'amount_exceeds_remaining',
      details: [{ remaining_refundable_cents: 750 }],
    })
    const rest = await refunds.refund(partner, orderKey, { amount_cents: 750 })
    expect(rest).toMatchObject({ ok: true, value: { refunded_cents: 9_750, remaining_refundable_cents: 0 } })
  })

  it('answers nothing_to_refund when external refunds have left nothing', async () => {
    const { partner, orderKey } = await refunds.newOrder()
    await refunds.refundElsewhere(orderKey, 10_000)
    expect(await refunds.refund(partner, orderKey, { amount_cents: 1 })).toEqual({
      ok: false,
      code: 'nothing_to_refund',
    })
  })

  it('is accepted only as the full remainder, and without lines, by a processor that accepts nothing else', async () => {
    const { partner, orderKey } = await refunds.newOrder({ processor: 'processor_full' })
    for (const amount of [1, 9_999, 10_001])
      expect(await refunds.refund(partner, orderKey, { amount_cents: amount })).toEqual({
        ok: false,
        code: 'refund_full_value_only',
        details: [{ remaining_refundable_cents: 10_000 }],
      })
    const order_lines = [{ merchant_order_line_id: 'a', quantity: 1 }]
    expect(await refunds.refund(partner, orderKey, { amount_cents: 10_000, order_lines })).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [
        {
          field: 'order_lines',
          reason: 'invalid_value',
          expected: 'none: the processor of this order refunds no single lines',
        },
      ],
    })
    expect(await refunds.refund(partner, orderKey, { amount_cents: 10_000 })).toMatchObject({ ok: true })
  })
})

describe('a refusal', () => {
  it("is the same 404 for no order, another partner's, a hidden one and one without the grant", async () => {
    const mine = await refunds.newOrder()
    const hidden = await refunds.newOrder()
    refunds.payments.hide(hidden.orderKey)
    const capability = { enabled: false, available: false, reason: null }
    const ungranted = await refunds.newOrder({ capability })
    const body = { amount_cents: 1 }
    for (const orderKey of ['999999', '9'.repeat(18), 'nonsense'])
      expect(await refunds.refund(mine.partner, orderKey, body)).toEqual(notFound)
    expect(await refunds.refund(newPartner(), mine.orderKey, body)).toEqual(notFound)
    expect(await refunds.refund(hidden.partner, hidden.orderKey, body)).toEqual(notFound)
    expect(await refunds.refund(ungranted.partner, ungranted.orderKey, body)).toEqual(notFound)
    expect(await refunds.list(newPartner(), mine.orderKey)).toEqual(notFound)
  })

  it("names the capability's reason, a payment link, an unpaid order and a missing payment", async () => {
    const capability = { enabled: true, available: false, reason: 'suspended' as const }
    const cases = [
      [{ capability }, { code: 'capability_unavailable', details: [{ reason: 'suspended' }] }],
      [{ kind: 'payment_link' as const }, { code: 'not_refundable' }],
      [{ status: 'pending' as const }, { code: 'order_not_paid' }],
      [{ status: 'chargeback' as const }, { code: 'order_not_paid' }],
      [{ paid: false }, { code: 'not_refundable' }],
    ] as const
    for (const [change, refusal] of cases) {
      const { partner, orderKey } = await refunds.newOrder(change)
      expect(await refunds.refund(partner, orderKey, { amount_cents: 1 })).toEqual({ ok: false, ...refusal })
    }
  })

  it('names the field of an invalid body, whether or not the order exists', async () => {
    const bad: readonly (readonly [Record<string, unknown>, unknown])[] = [
      [{}, { field: 'amount_cents', reason: 'required' }],
      [{ amount_cents: 0 }, { field: 'amount_cents', reason: 'too_small', expected: 'at least 1' }],
      [{ amount_cents: 1.5 }, { field: 'amount_cents', reason: 'invalid_type', expected: 'an integer' }],
      [
        { amount_cents: 1, order_lines: [] },
        { field: 'order_lines', reason: 'too_short', expected: 'at least 1 item' },
      ],
      [
        { amount_cents: 1, to: 'me' },
        { field: 'to', reason: 'unknown_field' },
      ],
      [
        { amount_cents: 1, order_lines: [{ merchant_order_line_id: 'a', quantity: 0 }] },
        { field: 'order_lines.0.quantity', reason: 'too_small', expected: 'at least 1' },
      ],
    ]
    for (const [body, detail] of bad)
      expect(await refunds.refund(newPartner(), '999999', body)).toEqual({
        ok: false,
        code: 'invalid_request',
        details: [detail],
      })
  })

  it("releases the key and the order's slot when nothing was sent", async () => {
    const { partner, orderKey } = await refunds.newOrder()
    const tooMuch = await refunds.refund(partner, orderKey, { amount_cents: 10_001 }, 'again')
    expect(tooMuch).toMatchObject({ code: 'amount_exceeds_remaining' })
    expect(await refunds.keysOf(partner)).toBe(0)
    const fixed = await refunds.refund(partner, orderKey, { amount_cents: 10_000 }, 'again')
    expect(fixed).toMatchObject({ ok: true })
    const reused = await refunds.refund(partner, orderKey, { amount_cents: 5 }, 'again')
    expect(reused).toEqual({ ok: false, code: 'idempotency_key_reuse' })
  })
})

describe('concurrent calls', () => {
  it('never exceed the ceiling with 32 keys on one order', async () => {
    const { partner, orderKey, processorOrderId } = await refunds.newOrder()
    const calls = Array.from({ length: 32 }, () => refunds.refund(partner, orderKey, { amount_cents: 900 }))
    const answers = await Promise.all(calls)
    const made = answers.filter(({ ok }) => ok)
    expect(made).toHaveLength(11)
    const codes = new Set(answers.flatMap((answer) => (answer.ok ? [] : [answer.code])))
    expect([...codes]).toEqual(['amount_exceeds_remaining'])
    expect(await refunds.atProcessor(processorOrderId)).toHaveLength(11)
    expect(refunds.payments.countedCents(orderKey)).toBe(9_900)
    expect(await refunds.eventsOf(orderKey)).toHaveLength(11)
  })

  it('replay a key while the order is visible, and not after a revocation', async () => {
    const { partner, orderKey } = await refunds.newOrder()
    const again = (amount_cents = 3_000) => refunds.refund(partner, orderKey, { amount_cents }, 'seen')
    const first = await again()
    expect(first).toMatchObject({ ok: true, value: { refunded_cents: 3_000 } })
    refunds.payments.hide(orderKey)
    const hidden = { ok: false, code: 'resource_not_found' }
    expect(await again()).toEqual(hidden)
    expect(await again(1)).toEqual(hidden)
    refunds.payments.show(orderKey)
    expect(await again()).toMatchObject({ ok: true, value: first.ok ? first.value : null, replay: {} })
    expect(await again(1)).toEqual({ ok: false, code: 'idempotency_key_reuse' })
  })

  it('make one refund and return 32 equal answers for 32 calls with one key', async () => {
    const { partner, orderKey, processorOrderId } = await refunds.newOrder()
    const body = { amount_cents: 3_000 }
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => refunds.refund(partner, orderKey, body, 'one')),
    )
    const values = answers.map((answer) => (answer.ok ? JSON.stringify(answer.value) : answer.code))
    expect(new Set(values)).toHaveProperty('size', 1)
    expect(answers[0]).toMatchObject({ ok: true, value: { refunded_cents: 3_000 } })
    expect(answers.filter((answer) => answer.ok && answer.replay !== undefined)).toHaveLength(31)
    expect(await refunds.atProcessor(processorOrderId)).toHaveLength(1)
    expect(await refunds.eventsOf(orderKey)).toHaveLength(1)
  })
})
