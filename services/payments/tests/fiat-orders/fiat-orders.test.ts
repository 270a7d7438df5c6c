import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { fiatOrders } from '@causeway/contracts'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

const notFound = { ok: false, code: 'resource_not_found' }

const TOTAL_EXPECTED = 'a total, fee included, of at most 99999999999, and a fee of at most the price'
const not = (field: string, expected: string) => ({ field, reason: 'invalid_value', expected })

describe('a card order', () => {
  it('is created with its hosted page, its fee split, and pending emitted on both channels', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const answer = await fiat.create(partner, customerId, {
      integration_id: integrationId,
      amount_cents: 10_000,
      currency: 'EUR',
      merchant_reference: 'inv-1',
      service_fee_payer: 'customer',
    })
    const order = answer.ok ? answer.value.order : null
    expect(order).toEqual({
      order_key: expect.stringMatching(/^[1-9]\d*$/),
      order_id: expect.stringMatching(/^fio_/),
      partner_customer_id: customerId,
      integration_id: integrationId,
      kind: 'order',
      status: 'pending',
      total_cents: 10_250,
      amount_cents: 10_000,
      service_fee_cents: 250,
      service_fee_percent: 2.5,
      service_fee_payer: 'customer',
      refunded_cents: 0,
      chargeback_cents: 0,
      merchant_reference: 'inv-1',
      currency: 'EUR',
      psp: 'Sandbox',
      order_url: expect.stringMatching(/^https:\/\/cards\.example\//),
      pay_url: `https://pay.example/pay/${order?.order_id}`,
      created_at: payments.clock.now().toISOString(),
      updated_at: null,
      completed_at: null,
    })
    const [event, ...more] = await payments.eventsOf(order?.order_id ?? '')
    expect(more).toEqual([])
    expect(event?.partners).toEqual([
      {
        partner_id: partner.partnerId,
        partner_customer_id: customerId,
        type: 'payment.pending',
        data: {
          partner_customer_id: customerId,
          rail: 'fiat',
          order_id: order?.order_id,
          order_key: order?.order_key,
          merchant_reference: 'inv-1',
          status: 'pending',
          currency: 'EUR',
          total_cents: 10_250,
        },
      },
    ])
    expect(event?.merchant).toMatchObject({ integration_id: integrationId, event: 'pending' })
    expect(event?.merchant?.body).not.toHaveProperty('order.order_key')
    expect(JSON.stringify(event?.merchant)).not.toContain(`"${String(order?.order_key)}"`)
  })

  it('has a key that follows the previous one, is read by it, and is listed newest first', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const orders = []
    for (let n = 0; n < 3; n += 1) orders.push(await fiat.newOrder(partner, customerId, integrationId))
    const keys = orders.map((order) => Number(order.order_key))
    expect(keys).toEqual([keys[0], (keys[0] ?? 0) + 1, (keys[0] ?? 0) + 2])
    expect(await fiat.get(partner, orders[1]?.order_key ?? '')).toEqual({
      ok: true,
      value: { order: orders[1] },
    })

    const first = await fiat.list(partner, customerId, { limit: '2' })
    expect(first.ok && first.value.orders).toEqual([orders[2], orders[1]])
    const before = first.ok ? (first.value.next_cursor ?? '') : ''
    expect(await fiat.list(partner, customerId, { limit: '2', before })).toEqual({
      ok: true,
      value: { orders: [orders[0]], next_cursor: null },
    })
    expect(await fiat.list(partner, customerId, { before: 'made-up' })).toEqual({
      ok: false,
      code: 'invalid_cursor',
    })
  })

  it.each([
    [{ amount_cents: 0 }, { field: 'amount_cents', reason: 'too_small', expected: 'at least 1' }],
    [
      { amount_cents: 100_000_000_000 },
      { field: 'amount_cents', reason: 'too_big', expected: 'at most 99999999999' },
    ],
    [
      { amount_cents: 97_560_975_610, service_fee_payer: 'customer' },
      { field: 'amount_cents', reason: 'too_big', expected: TOTAL_EXPECTED },
    ],
    [{ amount_cents: 1.5 }, { field: 'amount_cents', reason: 'invalid_type', expected: 'an integer' }],
    [{ currency: 'XTS' }, not('currency', 'the ISO 4217 code of a currency in circulation')],
    [
      { currency: 'eur' },
      {
        ...not('currency', 'the ISO 4217 code of a currency in circulation'),
        hint: 'Did you mean EUR?',
      },
    ],
    [{ payer_ip: '300.1.1.1' }, not('payer_ip', 'an IPv4 or IPv6 address')],
    [{ payer_email: 'nobody' }, not('payer_email', 'an e-mail address')],
    [{ psp: 'other' }, { field: 'psp', reason: 'unknown_field' }],
  ])('is refused with %j by the field and its reason', async (change, detail) => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const body = { integration_id: integrationId, amount_cents: 100, currency: 'EUR', ...change }
    expect(await fiat.create(partner, customerId, body)).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [detail],
    })
  })

  it('has a total of at most 99,999,999,999, including a fee that its buyer pays', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    for (const [amount_cents, service_fee_payer] of [
      [99_999_999_999, 'merchant'],
      [97_560_975_609, 'customer'],
    ] as const)
      expect(
        await fiat.newOrder(partner, customerId, integrationId, { amount_cents, service_fee_payer }),
      ).toMatchObject({ total_cents: 99_999_999_999 })
  })

  it('has a unique key without gaps, however many are created concurrently by any partner', async () => {
    await payments.addReplica()
    const shops = [await fiat.newShop(), await fiat.newShop(), await fiat.newShop()]
    const made = await Promise.all(
      Array.from({ length: 4 }, () => shops)
        .flat()
        .map((shop) => fiat.newOrder(shop.partner, shop.customerId, shop.integrationId)),
    )
    const keys = made.map((order) => Number(order.order_key)).toSorted((a, b) => a - b)
    expect(keys).toEqual(Array.from({ length: 12 }, (_, index) => (keys[0] ?? 0) + index))
  })

  it("does not exist for another partner, and cannot be created with another customer's integration", async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const { order_key } = await fiat.newOrder(partner, customerId, integrationId)
    const stranger = newPartner()
    expect(await fiat.get(stranger, order_key)).toEqual(notFound)
    expect(await fiat.get(partner, '999999999')).toEqual(notFound)
    expect(await fiat.list(stranger, customerId)).toEqual(notFound)
    const other = await fiat.newShop(partner)
    const body = { integration_id: other.integrationId, amount_cents: 100, currency: 'EUR' }
    expect(await fiat.create(partner, customerId, body)).toEqual(notFound)
  })

  it('is not replayed after a revocation, and is replayed again after a reinstatement', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const body = { integration_id: integrationId, amount_cents: 100, currency: 'EUR' }
    const again = (change = {}) => fiat.create(partner, customerId, { ...body, ...change }, 'seen')
    const made = await again()
    if (!made.ok) throw new Error(made.code)
    await payments.onboarding.publish(payments.onboarding.change(customerId, { status: 'revoked' }))
    await payments.eventually(async () => expect(await again()).toEqual(notFound))
    expect(await again({ amount_cents: 200 })).toEqual(notFound)
    await payments.onboarding.publish(payments.onboarding.change(customerId, { status: 'active' }))
    await payments.eventually(async () =>
      expect(await again()).toMatchObject({ ok: true, value: made.value, replay: {} }),
    )
    expect(await again({ amount_cents: 200 })).toEqual({ ok: false, code: 'idempotency_key_reuse' })
  })

  it('needs the capability granted and available', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const body = { integration_id: integrationId, amount_cents: 100, currency: 'EUR' }
    await fiat.setCardCapability(customerId, { enabled: true, available: false, reason: 'suspended' })
    const unavailable = { ok: false, code: 'capability_unavailable', details: [{ reason: 'suspended' }] }
    await payments.eventually(async () =>
      expect(await fiat.create(partner, customerId, body)).toEqual(unavailable),
    )
    await fiat.setCardCapability(customerId, { enabled: false, available: true, reason: null })
    await payments.eventually(async () =>
      expect(await fiat.create(partner, customerId, body)).toEqual({
        ok: false,
        code: 'capability_not_enabled',
      }),
    )
  })
})

describe('creating a card order under a key', () => {
  it('opens one checkout for 8 concurrent calls, and replays the first reply byte for byte', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const body = { integration_id: integrationId, amount_cents: 500, currency: 'JPY' }
    const opened = payments.cards.opened()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => fiat.create(partner, customerId, body, 'one-key')),
    )
    const values = answers.map((answer) => (answer.ok ? JSON.stringify(answer.value) : answer.code))
    expect(new Set(values).size).toBe(1)
    expect(answers[0]?.ok).toBe(true)
    expect(payments.cards.opened() - opened).toBe(1)
    expect(answers.filter((answer) => answer.ok && answer.replay)).toHaveLength(7)
    expect(await fiat.create(partner, customerId, { ...body, amount_cents: 501 }, 'one-key')).toEqual({
      ok: false,
      code: 'idempotency_key_reuse',
    })
  })

  it.each([
    [422, 'provider_error'],
    [429, 'temporarily_unavailable'],
  ] as const)('leaves nothing and frees the key when the processor answers %d', async (status, code) => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const body = { integration_id: integrationId, amount_cents: 500, currency: 'EUR' }
    payments.cards.openNext(status)
    expect(await fiat.create(partner, customerId, body, 'retried')).toEqual({ ok: false, code })
    expect(await fiat.list(partner, customerId)).toMatchObject({ value: { orders: [] } })
    const again = await fiat.create(partner, customerId, { ...body, amount_cents: 501 }, 'retried')
    expect(again).toMatchObject({ ok: true, value: { order: { total_cents: 501 } } })
  })

  it('finds the order at the next call with the key when the response was lost', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const body = { integration_id: integrationId, amount_cents: 500, currency: 'EUR' }
    const opened = payments.cards.opened()
    payments.cards.openNext('reset_after_effect')
    expect(await fiat.create(partner, customerId, body, 'lost')).toEqual({
      ok: false,
      code: 'internal_error',
    })
    const found = await fiat.create(partner, customerId, body, 'lost')
    expect(found).toMatchObject({
      ok: true,
      value: { order: { status: 'pending' } },
      replay: { requestId: expect.stringMatching(/^req_/) },
    })
    expect(await fiat.create(partner, customerId, body, 'lost')).toEqual(found)
    expect(payments.cards.opened() - opened).toBe(1)
    expect(await fiat.list(partner, customerId)).toMatchObject({ value: { orders: [{}] } })
  })

  it('stores no address or e-mail of the payer in plain text', async () => {
    const { partner, customerId, integrationId } = await fiat.newShop()
    const order = await fiat.newOrder(partner, customerId, integrationId, {
      payer_email: 'canary@example.com',
      payer_ip: '203.0.113.77',
    })
    const events = JSON.stringify(await payments.eventsOf(order.order_id))
    expect(events).not.toMatch(/canary|203\.0\.113\.77/)
    expect(await fiat.storedRow(order.order_id)).not.toMatch(/canary|203\.0\.113\.77/)
  })

  it('treats a malformed integration id as unknown, and one that is not text as a field error', async () => {
    const { partner, customerId } = await fiat.newShop()
    const body = { amount_cents: 1, currency: 'EUR' }
    for (const integration_id of ['int_x', newId('integration')])
      expect(await fiat.create(partner, customerId, { ...body, integration_id })).toEqual(notFound)
    expect(await fiat.create(partner, customerId, { ...body, integration_id: '' })).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'integration_id', reason: 'too_short' }],
    })
    expect(fiatOrders.create.idempotent).toBe(true)
  })
})
