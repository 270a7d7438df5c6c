import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { cardNotices, type FiatOrder } from '@causeway/contracts'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { startForTests, type Partner, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

const taken = { ok: true, value: { received: true } }
const post = (body: unknown, processor = 'processor') =>
  payments.ask(cardNotices.receive, { kind: 'public' }, { params: { processor }, body })
const noticeOf = (order: FiatOrder, processor = 'processor') => ({
  notice_id: newId('request'),
  processor,
  event: 'payment.changed',
  kind: 'payment',
  payment_id: payments.cards.ofOrder(order.order_key).payment_id,
})
const sendNotice = (order: FiatOrder) => post(payments.cards.sign(noticeOf(order)))
const newOrder = async () => {
  const { partner, customerId, integrationId } = await fiat.newShop()
  return { partner, order: await fiat.newOrder(partner, customerId, integrationId) }
}
const stateOf = async (partner: Partner, order: FiatOrder) => {
  const answer = await fiat.get(partner, order.order_key)
  if (!answer.ok) throw new Error(answer.code)
  const { status, refunded_cents, chargeback_cents } = answer.value.order
  return { status, refunded_cents, chargeback_cents }
}
const namesOf = async (order: FiatOrder) =>
  (await payments.eventsOf(order.order_id)).map((event) => [event.name, event.merchant?.event])

describe('a notice', () => {
  it('makes an order paid once, however often and concurrently it is sent', async () => {
    const { partner, order } = await newOrder()
    payments.cards.ofOrder(order.order_key).status = 'completed'
    const same = payments.cards.sign(noticeOf(order))
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(same)))
    expect(answers).toEqual(Array.from({ length: 10 }, () => taken))
    expect(await stateOf(partner, order)).toEqual({ status: 'paid', refunded_cents: 0, chargeback_cents: 0 })
    expect(await namesOf(order)).toEqual([
      ['payment.pending', 'pending'],
      ['payment.confirmed', 'paid'],
    ])
  })

  it.each(['cancelled', 'expired'] as const)(
    'ends the order permanently when the payment is %s',
    async (end) => {
      const { partner, order } = await newOrder()
      const payment = payments.cards.ofOrder(order.order_key)
      payment.status = end
      await sendNotice(order)
      payment.status = 'completed'
      await sendNotice(order)
      expect(await stateOf(partner, order)).toMatchObject({ status: end })
      expect(await namesOf(order)).toEqual([
        ['payment.pending', 'pending'],
        [`payment.${end}`, end],
      ])
    },
  )

  it("leads to one event for each of the processor's refunds, up to the ceiling", async () => {
    const { partner, order } = await newOrder()
    const payment = payments.cards.ofOrder(order.order_key)
    payment.status = 'completed'
    payment.refunds.push({ refund_id: 'one', amount_cents: 750, status: 'succeeded' })
    await sendNotice(order)
    await sendNotice(order)
    expect(await stateOf(partner, order)).toMatchObject({ status: 'paid', refunded_cents: 750 })
    payment.refunds.push({ refund_id: 'two', amount_cents: 9_000, status: 'succeeded' })
    await sendNotice(order)
    expect(await stateOf(partner, order)).toMatchObject({ status: 'refunded', refunded_cents: 9_750 })
    const events = await payments.eventsOf(order.order_id)
    expect(events.map(({ name }) => name).slice(2)).toEqual(['payment.refunded', 'payment.refunded'])
    expect(events.at(-1)?.merchant?.body['processor']).toEqual({
      event: 'refunded',
      project_id: 'sandbox',
      order_id: 'two',
      status: 'completed',
      refunded_amount: 9_000,
      refund_of_order_id: payment.payment_id,
      related_payment_link_id: null,
    })
  })

  it('changes nothing when it is forged, stale, malformed or from another processor', async () => {
    const { partner, order } = await newOrder()
    payments.cards.ofOrder(order.order_key).status = 'completed'
    const reads = payments.cards.reads()
    const refused = { ok: false, code: 'unauthorized' }
    const { sign } = payments.cards
    expect(await post(sign(noticeOf(order), { secret: 'not the secret of it' }))).toEqual(refused)
    const old = new Date(payments.clock.nowMs() - 301_000)
    expect(await post(sign(noticeOf(order), { at: old }))).toEqual(refused)
    const unsigned = { ...sign(noticeOf(order)), headers: {} }
    expect(await post(unsigned)).toEqual(refused)
    const altered = { ...sign(noticeOf(order)), raw_body_base64: sign({}).raw_body_base64 }
    expect(await post(altered)).toEqual(refused)
    const malformed = { ok: false, code: 'invalid_request' }
    expect(await post(sign({ hello: 1 }))).toEqual(malformed)
    expect(await post(sign(noticeOf(order, 'processor_full')))).toEqual(malformed)
    expect(await post(sign(noticeOf(order)), 'unknown')).toEqual({ ok: false, code: 'resource_not_found' })
    expect(payments.cards.reads()).toBe(reads)
    expect(await stateOf(partner, order)).toMatchObject({ status: 'pending' })
  })

  const HOSTILE = ['', '\u0000', '\ud800', 'a\u0000b', 'a b', '\r\n', 'x'.repeat(10_000), 1e21, null, ['a']]

  it('is malformed with an invalid id, and reaches neither the processor nor a statement', async () => {
    const { order } = await newOrder()
    const reads = payments.cards.reads()
    for (const field of ['notice_id', 'payment_id', 'processor'])
      for (const value of HOSTILE)
        expect([
          field,
          value,
          await post(payments.cards.sign({ ...noticeOf(order), [field]: value })),
        ]).toEqual([field, value, { ok: false, code: 'invalid_request' }])
    expect(payments.cards.reads()).toBe(reads)
  })

  it('is acknowledged without a read for a payment without an order, so that its sender stops', async () => {
    const { order } = await newOrder()
    const reads = payments.cards.reads()
    const unknown = { ...noticeOf(order), payment_id: 'nobody-knows' }
    expect(await post(payments.cards.sign(unknown))).toEqual(taken)
    expect(payments.cards.reads()).toBe(reads)
  })

  it('is refused for a payment that its processor does not have, so that it is repeated', async () => {
    const { order } = await newOrder()
    payments.cards.answerReads(404)
    expect(await sendNotice(order)).toEqual({ ok: false, code: 'temporarily_unavailable' })
    payments.cards.answerReads(200)
    expect(await sendNotice(order)).toEqual(taken)
  })

  it('is verified first when it requests the authorisation of a payer', async () => {
    const { order } = await newOrder()
    const { payment_id } = payments.cards.ofOrder(order.order_key)
    const question = { processor: 'processor', payment_id, order_key: order.order_key }
    const whole = { ...question, payer_ip: '203.0.113.9', payer_email: 'a@example.com' }
    const asked = (body: object) =>
      payments.ask(
        cardNotices.authorize,
        { kind: 'public' },
        { params: { processor: 'processor' }, body: payments.cards.sign(body) },
      )
    expect(await asked(whole)).toEqual({ ok: true, value: { allowed: true } })
    for (const field of ['payment_id', 'order_key'])
      for (const value of HOSTILE)
        expect([field, value, await asked({ ...whole, [field]: value })]).toEqual([
          field,
          value,
          { ok: false, code: 'invalid_request' },
        ])
    for (const field of ['payer_ip', 'payer_email'])
      for (const value of ['\u0000', '\ud800', 'x'.repeat(10_000), 1, ['a']])
        expect([field, value, await asked({ ...whole, [field]: value })]).toEqual([
          field,
          value,
          { ok: false, code: 'invalid_request' },
        ])
  })

  it('is refused when the processor cannot be read, so that it is repeated', async () => {
    const { partner, order } = await newOrder()
    payments.cards.ofOrder(order.order_key).status = 'completed'
    payments.cards.answerReads(503)
    expect(await sendNotice(order)).toEqual({ ok: false, code: 'temporarily_unavailable' })
    payments.cards.answerReads(200)
    expect(await sendNotice(order)).toEqual(taken)
    expect(await stateOf(partner, order)).toMatchObject({ status: 'paid' })
  })
})

describe('an order without notices', () => {
  it('is read by the poller when it is due, and not before', async () => {
    const { partner, order } = await newOrder()
    payments.cards.ofOrder(order.order_key).status = 'completed'
    payments.clock.advance(119_000)
    expect(await stateOf(partner, order)).toMatchObject({ status: 'pending' })
    payments.clock.advance(1_000)
    await eventually(async () => (await stateOf(partner, order)).status === 'paid')
    expect(await namesOf(order)).toEqual([
      ['payment.pending', 'pending'],
      ['payment.confirmed', 'paid'],
    ])
  })
})
