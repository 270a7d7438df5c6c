import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { call, newId } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { refundableOrders, type FiatOrder } from '@causeway/contracts'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { startForTests, type Partner, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterEach(() => payments.cards.answerReads(200))
afterAll(() => payments.stop())

const envelope = () => ({
  caller: { kind: 'service' as const, service: 'refunds' },
  requestId: newId('request'),
  timeoutMs: TEST_DEADLINE_MS,
  safe: true,
})
const follow = (orderKey: string, processorRefundId: string, processor = 'processor') =>
  call(payments.bus, payments.clock, refundableOrders.reconcile, {
    ...envelope(),
    body: { processor, order_key: orderKey, processor_refund_id: processorRefundId },
  })

/** An order whose payment is completed at its processor, without a notice. */
const newOrder = async () => {
  const { partner, customerId, integrationId } = await fiat.newShop()
  const order = await fiat.newOrder(partner, customerId, integrationId, { service_fee_payer: 'customer' })
  const payment = payments.cards.ofOrder(order.order_key)
  payment.status = 'completed'
  return { partner, customerId, order, payment }
}
const refunded = (id: string, cents: number) => ({ refund_id: id, amount_cents: cents, status: 'succeeded' })
const record = (partner: Partner, order: FiatOrder, processorOrderId: string, processorRefundId: string) =>
  call(payments.bus, payments.clock, refundableOrders.recordRefund, {
    ...envelope(),
    body: {
      partner_id: partner.partnerId,
      order_key: order.order_key,
      refund_id: newId('refund'),
      processor: 'processor',
      processor_order_id: processorOrderId,
      processor_refund_id: processorRefundId,
      amount_cents: 1_000,
      currency: 'EUR',
    },
  })
const sumsOf = async (partner: Partner, order: FiatOrder) => {
  const answer = await fiat.get(partner, order.order_key)
  if (!answer.ok) throw new Error(answer.code)
  const { status, refunded_cents, chargeback_cents } = answer.value.order
  return [status, refunded_cents, chargeback_cents]
}
const namesOf = async (order: FiatOrder) =>
  (await payments.eventsOf(order.order_id))
    .map(({ name }) => name)
    .filter((name) => name !== 'payment.pending')

describe('an order that is reconciled', () => {
  it("counts its processor's refunds once, and returns whose they are", async () => {
    const { partner, customerId, order, payment } = await newOrder()
    payment.refunds.push(refunded('sbr_outside_1', 700))
    for (let n = 0; n < 2; n += 1)
      expect(await follow(order.order_key, 'sbr_outside_1')).toEqual({
        ok: true,
        value: {
          partner_id: partner.partnerId,
          partner_customer_id: customerId,
          partner_sees: true,
          order_id: order.order_id,
          processor_order_id: payment.payment_id,
          is_counted: true,
        },
      })
    expect(await sumsOf(partner, order)).toEqual(['paid', 700, 0])
    expect(await namesOf(order)).toEqual(['payment.confirmed', 'payment.refunded'])
  })

  it('emits a fact for other services with the refund that it counts and the id of its request', async () => {
    const { partner, order, payment } = await newOrder()
    payment.refunds.push(refunded('sbr_outside_2', 700))
    await follow(order.order_key, 'sbr_outside_2')
    await record(partner, order, payment.payment_id, 'sbr_own_2')
    const facts = (await payments.eventsOf(order.order_id)).flatMap(({ fact }) =>
      fact?.kind === 'refund' ? [fact.refund] : [],
    )
    expect(facts).toMatchObject([
      { processor_refund_id: 'sbr_outside_2', refund_id: null, amount_cents: 700, partner_sees: true },
      { processor_refund_id: 'sbr_own_2', refund_id: expect.stringMatching(/^rfd_/), amount_cents: 1_000 },
    ])
  })

  it('does not count a refund that its processor does not have, or of a payment that never came', async () => {
    const { order } = await newOrder()
    expect(await follow(order.order_key, 'sbr_unheard_of')).toMatchObject({ value: { is_counted: false } })
    const { order: unpaid, payment } = await newOrder()
    payment.status = 'expired'
    payment.refunds.push(refunded('sbr_of_unpaid', 1))
    expect(await follow(unpaid.order_key, 'sbr_of_unpaid')).toMatchObject({ value: { is_counted: false } })
  })

  it('does not exist under another processor or key; an unreadable processor returns temporarily_unavailable', async () => {
    const { order } = await newOrder()
    const notFound = { ok: false, code: 'resource_not_found' }
    expect(await follow(order.order_key, 'sbr_3', 'processor_full')).toEqual(notFound)
    expect(await follow('999999', 'sbr_3')).toEqual(notFound)
    payments.cards.answerReads(500)
    expect(await follow(order.order_key, 'sbr_3')).toEqual({ ok: false, code: 'temporarily_unavailable' })
    payments.cards.answerReads(404)
    expect(await follow(order.order_key, 'sbr_3')).toEqual({ ok: false, code: 'provider_error' })
  })
})

describe('a dispute during a refund', () => {
  it('counts no cents twice, and both events of the refund are still sent once', async () => {
    const { partner, order, payment } = await newOrder()
    payment.disputes.push({ dispute_id: 'sbd_1', amount_cents: null, currency: null })
    await follow(order.order_key, 'sbr_none')
    expect(await sumsOf(partner, order)).toEqual(['chargeback', 0, order.total_cents])
    for (let n = 0; n < 2; n += 1)
      expect(await record(partner, order, payment.payment_id, 'sbr_disputed')).toMatchObject({ ok: true })
    expect(await sumsOf(partner, order)).toEqual(['chargeback', 0, order.total_cents])
    expect(await namesOf(order)).toEqual(['payment.confirmed', 'payment.chargeback', 'payment.refunded'])
    const last = (await payments.eventsOf(order.order_id)).at(-1)
    expect(last?.partners[0]?.data).toMatchObject({ status: 'chargeback' })
    expect(last?.merchant?.body).toMatchObject({ event: 'refunded', processor: { refunded_amount: 1_000 } })
  })

  it('emits no event for a refund that the order cannot count, and refuses the caller', async () => {
    const { partner, order, payment } = await newOrder()
    payment.status = 'expired'
    await follow(order.order_key, 'sbr_none')
    expect(await record(partner, order, payment.payment_id, 'sbr_uncounted')).toEqual({
      ok: false,
      code: 'resource_not_found',
    })
    expect(await namesOf(order)).toEqual(['payment.expired'])
  })
})
