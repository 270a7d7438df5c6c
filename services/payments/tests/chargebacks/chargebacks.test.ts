import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { cardNotices, chargebackCases, chargebacks, type FiatOrder } from '@causeway/contracts'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { newPartner, startForTests, type Partner, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

const HEADER = 'dispute_id,order_key,disputed_at,dispute_amount_cents,dispute_currency,fee_cents,fee_currency'
const importFile = (...lines: string[]) =>
  payments.ask(
    chargebacks.importFile,
    { kind: 'operator', actor: 'staff' },
    { body: { csv: [HEADER, ...lines].join('\n') } },
  )
const sendNotice = (order: FiatOrder) => {
  const notice = { notice_id: newId('request'), processor: 'processor', event: 'changed', kind: 'dispute' }
  const { payment_id } = payments.cards.ofOrder(order.order_key)
  const body = payments.cards.sign({ ...notice, payment_id })
  return payments.ask(cardNotices.receive, { kind: 'public' }, { params: { processor: 'processor' }, body })
}
const ask = (order: FiatOrder, payer: { payer_ip: string | null; payer_email: string | null }) => {
  const { payment_id } = payments.cards.ofOrder(order.order_key)
  const question = { processor: 'processor', payment_id, order_key: order.order_key, ...payer }
  return payments.ask(
    cardNotices.authorize,
    { kind: 'public' },
    { params: { processor: 'processor' }, body: payments.cards.sign(question) },
  )
}
const byCustomer = (partner: Partner, customerId: string, limit?: string) =>
  payments.ask(chargebacks.list, partner, { params: { customerId }, query: { limit } })
const byOrder = (partner: Partner, orderKey: string) =>
  payments.ask(chargebacks.listByOrder, partner, { params: { orderKey }, query: {} })
const casesOf = async (partner: Partner, customerId: string) => {
  const answer = await payments.ask(chargebackCases.list, partner, { params: { customerId }, query: {} })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.chargeback_cases
}
const paidOrder = async () => {
  const shop = await fiat.newShop()
  const order = await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId)
  const payment = payments.cards.ofOrder(order.order_key)
  payment.status = 'completed'
  payment.payer = { ip: '203.0.113.9', email: 'Buyer@example.com' }
  await sendNotice(order)
  return { ...shop, order, payment }
}

describe('a dispute', () => {
  it('reverses the whole order and is one record, however often the processor reports it', async () => {
    const { partner, customerId, order, payment } = await paidOrder()
    payment.refunds.push({ refund_id: newId('request'), amount_cents: 100, status: 'succeeded' })
    await sendNotice(order)
    const dispute_id = newId('request')
    payment.disputes.push({ dispute_id, amount_cents: 900, currency: 'USD' })
    await Promise.all([sendNotice(order), sendNotice(order), sendNotice(order)])

    const read = await fiat.get(partner, order.order_key)
    expect(read).toMatchObject({
      value: { order: { status: 'chargeback', chargeback_cents: 10_000, refunded_cents: 0 } },
    })
    const now = payments.clock.now().toISOString()
    const record = {
      id: expect.stringMatching(/^cbk_/),
      order_key: order.order_key,
      psp: 'Sandbox',
      order_status: 'chargeback',
      amount_cents: 10_000,
      currency: 'EUR',
      fee_cents: 1_500,
      fee_currency: 'EUR',
      dispute_amount_cents: 900,
      dispute_currency: 'USD',
      disputed_at: now,
      created_at: now,
    }
    const listed = { ok: true, value: { chargebacks: [record] } }
    expect(await byCustomer(partner, customerId, '0')).toEqual(listed)
    expect(await byOrder(partner, order.order_key)).toEqual(listed)

    const events = (await payments.eventsOf(order.order_id)).filter(
      (event) => event.name === 'payment.chargeback',
    )
    expect(events).toHaveLength(1)
    expect(JSON.stringify(events[0]?.partners)).not.toContain('203.0.113.9')
    expect(events[0]?.merchant?.event).toBe('chargeback')
    expect(events[0]?.merchant?.body).toMatchObject({
      event: 'chargeback',
      risk: { ip: '203.0.113.9', ipMasked: '203.0.***.***' },
      processor: {
        event: 'chargeback_detected',
        original_order_id: payment.payment_id,
        chargeback_order_id: dispute_id,
        chargeback_of_order_id: payment.payment_id,
        flags_original: [],
        flags_chargeback: ['fraudulent'],
      },
    })
  })

  it('has null instead of 0 when it has no amount', async () => {
    const { partner, order, payment } = await paidOrder()
    payment.disputes.push({ dispute_id: newId('request'), amount_cents: null, currency: null })
    await sendNotice(order)
    expect(await byOrder(partner, order.order_key)).toMatchObject({
      value: { chargebacks: [{ dispute_amount_cents: null, dispute_currency: null, amount_cents: 10_000 }] },
    })
  })

  it('returns an empty list by order and 404 by customer to another partner, and 403 without the grant', async () => {
    const { partner, customerId, order, payment } = await paidOrder()
    payment.disputes.push({ dispute_id: newId('request'), amount_cents: null, currency: null })
    await sendNotice(order)
    const empty = { ok: true, value: { chargebacks: [] } }
    const stranger = newPartner()
    for (const key of [order.order_key, '999999999', 'abc', '-1', '1'.repeat(65)])
      expect(await byOrder(stranger, key)).toEqual(empty)
    expect(await byCustomer(stranger, customerId)).toEqual({ ok: false, code: 'resource_not_found' })
    await fiat.setCardCapability(customerId, { enabled: false, available: true, reason: null })
    await payments.eventually(async () =>
      expect(await byCustomer(partner, customerId)).toEqual({ ok: false, code: 'capability_not_enabled' }),
    )
    await payments.eventually(async () => expect(await byOrder(partner, order.order_key)).toEqual(empty))
  })
})

describe('the periodic file', () => {
  it('is imported line by line, once, and reports the error of each invalid line', async () => {
    const { partner, order } = await paidOrder()
    const { order: second } = await paidOrder()
    const shop = await fiat.newShop()
    const unpaid = await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId)
    const [id, other] = [newId('request'), newId('request')]
    const lines = [
      `${id},${order.order_key},2026-10-30T10:00:00Z,,,2000,USD`,
      `${id},${order.order_key},2026-10-30T10:00:00Z,,,2000,USD`,
      `${id},${second.order_key},,,,,`,
      `${other},999999999,,,,,`,
      `${other},${unpaid.order_key},,,,,`,
      `${other},${second.order_key},yesterday,,,,`,
      `${other},${second.order_key},,100,,,`,
      `${other},${second.order_key}`,
      `,${second.order_key},,,,,`,
      `"${other}",${second.order_key},,4000,EUR,,`,
    ]
    expect(await importFile(...lines)).toEqual({
      ok: true,
      value: {
        imported: 2,
        duplicates: 1,
        rejected: [
          { line: 4, reason: 'dispute_of_another_order' },
          { line: 5, reason: 'unknown_order' },
          { line: 6, reason: 'order_not_paid' },
          { line: 7, reason: 'invalid_disputed_at' },
          { line: 8, reason: 'invalid_dispute_currency' },
          { line: 9, reason: 'wrong_number_of_cells' },
          { line: 10, reason: 'invalid_dispute_id' },
        ],
      },
    })
    expect(await importFile(...lines)).toMatchObject({ value: { imported: 0, duplicates: 3 } })
    expect(await byOrder(partner, order.order_key)).toMatchObject({
      value: {
        chargebacks: [
          {
            order_status: 'chargeback',
            disputed_at: '2026-10-30T10:00:00.000Z',
            dispute_amount_cents: null,
            fee_cents: 2_000,
            fee_currency: 'USD',
          },
        ],
      },
    })
  })

  it('is refused as a whole without its columns', async () => {
    const answer = await payments.ask(
      chargebacks.importFile,
      { kind: 'operator', actor: 'staff' },
      { body: { csv: 'a,b\n1,2' } },
    )
    expect(answer).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [
        {
          field: 'csv',
          reason: 'invalid_value',
          expected:
            'CSV (RFC 4180) with the columns dispute_id, order_key, disputed_at, dispute_amount_cents, dispute_currency, fee_cents, fee_currency',
        },
      ],
    })
  })
})

describe('a chargeback case', () => {
  it('blocks the payer at that customer only, at creation and on the page, until it is lifted', async () => {
    const { partner, customerId, integrationId, order, payment } = await paidOrder()
    payment.disputes.push({ dispute_id: newId('request'), amount_cents: null, currency: null })
    const open = await fiat.newOrder(partner, customerId, integrationId)
    const payer = { payer_ip: '::ffff:203.0.113.9', payer_email: null }
    expect(await ask(open, payer)).toEqual({ ok: true, value: { allowed: true } })
    await sendNotice(order)

    const cases = await casesOf(partner, customerId)
    expect(
      cases
        .map(({ kind, value_masked, status, order_keys }) => [kind, value_masked, status, order_keys])
        .sort(),
    ).toEqual([
      ['email', 'b***@example.com', 'active', [order.order_key]],
      ['ip', '203.0.***.***', 'active', [order.order_key]],
    ])
    const body = { integration_id: integrationId, amount_cents: 100, currency: 'EUR' }
    const blocked = { ok: false, code: 'checkout_blocked' }
    expect(await fiat.create(partner, customerId, { ...body, payer_ip: '203.0.113.9' })).toEqual(blocked)
    expect(await fiat.create(partner, customerId, { ...body, payer_email: 'BUYER@example.com' })).toEqual(
      blocked,
    )
    expect(await fiat.create(partner, customerId, { ...body, payer_ip: '203.0.113.10' })).toMatchObject({
      ok: true,
    })
    expect(await ask(open, payer)).toEqual({ ok: true, value: { allowed: false } })
    const elsewhere = await fiat.newShop(partner)
    expect(
      await fiat.create(partner, elsewhere.customerId, {
        ...body,
        integration_id: elsewhere.integrationId,
        payer_ip: '203.0.113.9',
      }),
    ).toMatchObject({ ok: true })

    for (const { case_id: caseId } of cases) {
      const lift = (caller: Partner) =>
        payments.ask(chargebackCases.lift, caller, { params: { customerId, caseId } })
      expect(await lift(newPartner())).toEqual({ ok: false, code: 'resource_not_found' })
      expect(await lift(partner)).toMatchObject({ value: { chargeback_case: { status: 'lifted' } } })
      expect(await lift(partner)).toMatchObject({ ok: false, code: 'invalid_state' })
    }
    expect(await ask(open, payer)).toEqual({ ok: true, value: { allowed: true } })
    expect(await fiat.create(partner, customerId, { ...body, payer_ip: '203.0.113.9' })).toMatchObject({
      ok: true,
    })
  })
})
