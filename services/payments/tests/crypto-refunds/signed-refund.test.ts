import { newId, refuse } from '@causeway/chassis'
import { cryptoOrders } from '@causeway/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { startForTests, type RunningPayments } from '../running-payments.ts'
import { CHEAP, REQUESTED, SENT, serveSigner } from './fake-signer.ts'

const TO = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const ANOTHER = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const ASK_AGAIN_MS = 2_000
const staff = { kind: 'operator' as const, actor: 'staff' }

let payments: RunningPayments
let signer: ReturnType<typeof serveSigner>
beforeAll(async () => {
  payments = await startForTests({ cryptoRefunds: 'signer' })
  signer = serveSigner(payments)
})
afterAll(() => payments.stop())
beforeEach(() => {
  signer.said = REQUESTED
  signer.estimated = CHEAP
})

const refund = (orderId: string, to_address: string) =>
  payments.ask(cryptoOrders.refund, staff, { params: { orderId }, body: { to_address } })
const read = (orderId: string) => payments.ask(cryptoOrders.getRefund, staff, { params: { orderId } })

/** An order that was cancelled and has received what it was for. */
const newCancelled = async () => {
  const { partner, customerId } = payments.newCustomer()
  const order = await payments.newOrder(partner, customerId)
  await payments.cancel(partner, order.id)
  await payments.deposit(order.id)
  await payments.eventually(async () => {
    const file = await payments.ask(cryptoOrders.getByStaff, staff, { params: { orderId: order.id } })
    expect(file).toMatchObject({ value: { order: { received: order.amount } } })
  })
  return { partner, order: { ...order, status: 'cancelled' as const } }
}
/** Waits until payments has asked the signer again and shows this. */
const becomes = (orderId: string, shown: object) =>
  payments.eventually(async () => {
    payments.clock.advance(ASK_AGAIN_MS)
    expect(await read(orderId)).toMatchObject({ ok: true, value: shown })
  })
const namesOf = async (orderId: string) => (await payments.eventsOf(orderId)).map(({ name }) => name)

describe('a refund that the signer sends', () => {
  test('leaves the order cancelled until the chain has confirmed it, then notifies both channels once', async () => {
    const { partner, order } = await newCancelled()
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund(order.id, TO)))
    for (const answer of answers)
      expect(answer).toMatchObject({
        ok: true,
        value: {
          order,
          to_address: TO,
          refunded_at: null,
          refund: {
            to_address: TO,
            amount: order.amount,
            network_fee: null,
            tx_id: null,
            status: 'requested',
          },
        },
      })
    signer.said = SENT
    await becomes(order.id, {
      order,
      refunded_at: null,
      refund: { status: 'broadcast', amount: '0.0004', network_fee: '0.00001', tx_id: 'tx' },
    })
    expect(await namesOf(order.id)).toEqual(['payment.pending', 'payment.cancelled'])
    signer.said = { ...SENT, status: 'confirmed', network_fee: '0.000009' }
    await becomes(order.id, { order: { status: 'refunded' }, refund: { status: 'confirmed' } })
    expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'refunded' } } })
    expect(await namesOf(order.id)).toEqual(['payment.pending', 'payment.cancelled', 'payment.refunded'])
    const event = (await payments.eventsOf(order.id))[2]
    const shown = await refund(order.id, TO)
    expect(shown).toMatchObject({ ok: true, value: { refund: { network_fee: '0.000009' } } })
    expect(event?.merchant).toMatchObject({
      event: 'refunded',
      body: { order: { refundedAt: shown.ok ? shown.value.refunded_at : null } },
    })
    expect(new Set(signer.askedOf(order.id).map(({ refund_id }) => refund_id)).size).toBe(1)
    expect(signer.askedOf(order.id)[0]).toMatchObject({
      network: 'BTC',
      address: order.address,
      to_address: TO,
      amount: order.amount,
      coins: [{ tx_id: expect.any(String), output_index: 0 }],
    })
  })

  test('follows the version of its transaction that the chain takes, of several with rising fees', async () => {
    const { order } = await newCancelled()
    const [first, second] = [
      { ...SENT, tx_id: 'first', amount: '0.0004', network_fee: '0.00001' },
      { ...SENT, tx_id: 'second', amount: '0.00038', network_fee: '0.00003' },
    ]
    await refund(order.id, TO)
    for (const said of [first, second]) {
      signer.said = said
      const { tx_id, amount, network_fee } = said
      await becomes(order.id, { order, refund: { status: 'broadcast', tx_id, amount, network_fee } })
    }
    signer.said = { ...first, status: 'confirmed' }
    await becomes(order.id, {
      order: { status: 'refunded' },
      refund: { status: 'confirmed', tx_id: 'first', amount: '0.0004', network_fee: '0.00001' },
    })
    const facts = (await payments.events()).flatMap(({ ledger_facts: each = [] }) => each)
    expect(facts.filter(({ order_id: of }) => of === order.id)).toMatchObject([
      { kind: 'crypto_refunded', amount: '0.0004', network_fee: { amount: '0.00001' } },
    ])
  })

  test.each([
    refuse('amount_exceeds_remaining', [{ reason: 'insufficient_funds' }]),
    refuse('limit_reached', [{ resource: 'crypto_refunds', applies_to: 'day', resets_at: 'tomorrow' }]),
    refuse('temporarily_unavailable'),
  ])(
    "returns the signer's code ($code) and leaves nothing when the signer does not send it",
    async (refusal) => {
      const { order } = await newCancelled()
      signer.estimated = refusal
      expect(await refund(order.id, TO)).toEqual(refusal)
      expect(await read(order.id)).toEqual({ ok: false, code: 'resource_not_found' })
      signer.estimated = CHEAP
      expect(await refund(order.id, ANOTHER)).toMatchObject({ ok: true, value: { to_address: ANOTHER } })
    },
  )

  test('is failed when the signer refuses it afterwards, and another can be requested', async () => {
    const { order } = await newCancelled()
    await refund(order.id, TO)
    signer.said = refuse('amount_exceeds_remaining', [{ reason: 'insufficient_funds' }])
    await becomes(order.id, { order, refund: { status: 'failed', failure: 'amount_exceeds_remaining' } })
    signer.said = SENT
    expect(await refund(order.id, ANOTHER)).toMatchObject({ ok: true, value: { to_address: ANOTHER } })
    await becomes(order.id, { to_address: ANOTHER, refund: { status: 'broadcast' } })
  })

  test('waits a quarter of an hour for its approval and then fails', async () => {
    const { order } = await newCancelled()
    signer.said = refuse('not_refundable', [{ reason: 'not_approved' }])
    await refund(order.id, TO)
    await payments.eventually(async () => {
      payments.clock.advance(100)
      expect(signer.askedOf(order.id).length).toBeGreaterThan(1)
    })
    expect(await read(order.id)).toMatchObject({ value: { refund: { status: 'requested' } } })
    payments.clock.advance(15 * 60_000)
    await becomes(order.id, { order, refund: { status: 'failed', failure: 'not_approved' } })
  })

  test('previews the amount, the sender and the network fee', async () => {
    const { order } = await newCancelled()
    const plan = (query: object) =>
      payments.ask(cryptoOrders.getRefundPlan, staff, { params: { orderId: order.id }, query })
    const shown = {
      sent_by: 'signer',
      network: 'BTC',
      asset: 'BTC',
      from_address: order.address,
      amount: order.amount,
    }
    const cost = { arrives: '0.0004', network_fee: '0.00001', fee_asset: 'BTC' }
    expect(await plan({ to_address: TO })).toEqual({
      ok: true,
      value: { plan: { ...shown, ...cost, obstacle: null } },
    })
    signer.estimated = { amount: null, network_fee: null, fee_asset: null, waits_for: 'fee_above_limit' }
    expect(await plan({})).toMatchObject({
      value: { plan: { ...shown, arrives: null, obstacle: 'fee_above_limit' } },
    })
    signer.estimated = refuse('temporarily_unavailable')
    expect(await plan({})).toMatchObject({
      value: { plan: { ...shown, arrives: null, obstacle: 'temporarily_unavailable' } },
    })
    signer.estimated = CHEAP
    await refund(order.id, TO)
    expect(await plan({})).toMatchObject({ ok: false, code: 'invalid_state' })
  })

  test('can be recorded by hand instead, and is then never sent', async () => {
    const { partner, order } = await newCancelled()
    const by = (body: object) =>
      payments.ask(cryptoOrders.refund, staff, {
        params: { orderId: order.id },
        body: { to_address: TO, ...body },
      })
    expect(await by({ tx_id: 'mine' })).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'sent_by_hand', reason: 'required' }],
    })
    const recorded = await by({ sent_by_hand: true, tx_id: 'mine' })
    expect(recorded).toMatchObject({ ok: true, value: { order: { status: 'refunded' }, tx_id: 'mine' } })
    expect(recorded.ok && 'refund' in recorded.value).toBe(false)
    expect(await by({ sent_by_hand: true })).toMatchObject({ ok: true })
    expect(await by({})).toMatchObject({ ok: false, code: 'invalid_state' })
    expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'refunded' } } })
    expect(signer.askedOf(order.id)).toEqual([])
    const facts = (await payments.events()).flatMap(({ ledger_facts: each = [] }) => each)
    expect(facts.filter(({ order_id: of }) => of === order.id)).toMatchObject([
      { kind: 'crypto_refunded', bucket: 'late', network_fee: { amount: '0' } },
    ])
  })

  test('is made once for 32 concurrent requests, also to two addresses', async () => {
    const { order } = await newCancelled()
    signer.said = SENT
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, at) => refund(order.id, at % 2 === 0 ? TO : ANOTHER)),
    )
    const accepted = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
    expect(accepted).toHaveLength(16)
    expect(new Set(accepted.map((each) => each.refund?.refund_id)).size).toBe(1)
    expect(new Set(accepted.map(({ to_address }) => to_address)).size).toBe(1)
    await becomes(order.id, { refund: { status: 'broadcast' } })
    expect(new Set(signer.askedOf(order.id).map(({ refund_id }) => refund_id)).size).toBe(1)
  })

  test('fails with the reason when the chain did not execute it', async () => {
    const { order } = await newCancelled()
    await refund(order.id, TO)
    signer.said = { ...SENT, status: 'failed', failure: 'replaced' }
    await becomes(order.id, { order, refund: { status: 'failed', failure: 'replaced', tx_id: 'tx' } })
    expect(await namesOf(order.id)).toEqual(['payment.pending', 'payment.cancelled'])
  })

  test('is requested again while the signer is unavailable', async () => {
    const { order } = await newCancelled()
    signer.said = refuse('temporarily_unavailable')
    expect(await refund(order.id, TO)).toMatchObject({ ok: true, value: { refund: { status: 'requested' } } })
    await payments.eventually(async () => {
      payments.clock.advance(ASK_AGAIN_MS)
      expect(signer.askedOf(order.id).length).toBeGreaterThan(1)
    })
    signer.said = SENT
    await becomes(order.id, { refund: { status: 'broadcast' } })
  })
})

describe('a refund requested by staff', () => {
  test('is refused to another address while a refund is in progress', async () => {
    const { order } = await newCancelled()
    await refund(order.id, TO)
    expect(await refund(order.id, ANOTHER)).toMatchObject({
      ok: false,
      code: 'invalid_state',
      details: [{ from: 'cancelled', to: 'refunded' }],
    })
  })

  test('is refused for an order that has received nothing or is not cancelled', async () => {
    const { partner, customerId } = payments.newCustomer()
    const order = await payments.newOrder(partner, customerId)
    expect(await refund(order.id, TO)).toMatchObject({ ok: false, code: 'invalid_state' })
    await payments.cancel(partner, order.id)
    expect(await refund(order.id, TO)).toEqual({
      ok: false,
      code: 'nothing_to_refund',
      details: [{ received: '0' }],
    })
    expect(await read(order.id)).toEqual({ ok: false, code: 'resource_not_found' })
    expect(await read(newId('cryptoOrder'))).toEqual({ ok: false, code: 'resource_not_found' })
  })
})
