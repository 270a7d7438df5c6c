import { createLogger, implement, newId, refuse, reply, serve } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { cryptoOrders, signerRefunds, type Refusal, type SignerRefund } from '@causeway/contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { SignerRequest } from '../../src/clients/signer.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const TO = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const ANOTHER = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const ASK_AGAIN_MS = 2_000
const staff = { kind: 'operator' as const, actor: 'staff' }

type Said = Omit<SignerRefund, 'refund_id'>
const REQUESTED: Said = { status: 'requested', amount: null, network_fee: null, tx_id: null, failure: null }
const SENT: Said = {
  ...REQUESTED,
  status: 'broadcast',
  amount: '0.0004',
  network_fee: '0.00001',
  tx_id: 'tx',
}

let payments: RunningPayments
/** The signer's requests, and what it says of every refund. */
const asked: SignerRequest[] = []
let said: Said | Refusal<'not_refundable' | 'amount_exceeds_remaining' | 'temporarily_unavailable'>

beforeAll(async () => {
  payments = await startForTests({ cryptoRefunds: 'signer' })
  serve(
    payments.bus,
    implement(signerRefunds, {
      create: async ({ body }) => {
        asked.push(body)
        return 'ok' in said ? said : reply({ refund: { refund_id: body.refund_id, ...said } })
      },
    }),
    {
      keys: testReceiverKeys(),
      service: 'signer',
      clock: payments.clock,
      log: createLogger({ service: 'test', level: 'silent' }),
      checkReplies: true,
    },
  )
})
afterAll(() => payments.stop())
beforeEach(() => {
  said = REQUESTED
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
/** Waits until payments has asked again and shows this. */
const becomes = (orderId: string, shown: object) =>
  payments.eventually(async () => {
    payments.clock.advance(ASK_AGAIN_MS)
    expect(await read(orderId)).toMatchObject({ ok: true, value: shown })
  })
const namesOf = async (orderId: string) => (await payments.eventsOf(orderId)).map(({ name }) => name)

describe('a refund that the signer sends', () => {
  test('leaves the order cancelled until the chain has confirmed it, then tells both channels once', async () => {
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
    said = SENT
    await becomes(order.id, {
      order,
      refunded_at: null,
      refund: { status: 'broadcast', amount: '0.0004', network_fee: '0.00001', tx_id: 'tx' },
    })
    expect(await namesOf(order.id)).toEqual(['payment.pending', 'payment.cancelled'])
    said = { ...SENT, status: 'confirmed', network_fee: '0.000009' }
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
    expect(
      new Set(asked.filter(({ order_id }) => order_id === order.id).map(({ refund_id }) => refund_id)).size,
    ).toBe(1)
    expect(asked.find(({ order_id }) => order_id === order.id)).toMatchObject({
      network: 'BTC',
      address: order.address,
      to_address: TO,
      amount: order.amount,
      coins: [{ tx_id: expect.any(String), output_index: 0 }],
    })
  })

  test('that the signer refuses is answered with its code, and another may be asked for', async () => {
    const { order } = await newCancelled()
    said = refuse('amount_exceeds_remaining', [{ reason: 'insufficient_funds' }])
    expect(await refund(order.id, TO)).toEqual(said)
    expect(await read(order.id)).toMatchObject({
      value: { order, refund: { to_address: TO, status: 'failed', failure: 'amount_exceeds_remaining' } },
    })
    said = SENT
    expect(await refund(order.id, ANOTHER)).toMatchObject({
      ok: true,
      value: { to_address: ANOTHER, refund: { status: 'broadcast' } },
    })
  })

  test('that the chain did not carry out is failed, with the reason', async () => {
    const { order } = await newCancelled()
    await refund(order.id, TO)
    said = { ...SENT, status: 'failed', failure: 'replaced' }
    await becomes(order.id, { order, refund: { status: 'failed', failure: 'replaced', tx_id: 'tx' } })
    expect(await namesOf(order.id)).toEqual(['payment.pending', 'payment.cancelled'])
  })

  test('is asked for again while the signer is away', async () => {
    const { order } = await newCancelled()
    said = refuse('temporarily_unavailable')
    expect(await refund(order.id, TO)).toMatchObject({ ok: true, value: { refund: { status: 'requested' } } })
    said = SENT
    await becomes(order.id, { refund: { status: 'broadcast' } })
  })
})

describe('staff are refused', () => {
  test('another address while a refund is under way', async () => {
    const { order } = await newCancelled()
    await refund(order.id, TO)
    expect(await refund(order.id, ANOTHER)).toMatchObject({
      ok: false,
      code: 'invalid_state',
      details: [{ from: 'cancelled', to: 'refunded' }],
    })
  })

  test('an order that has received nothing, and one that is not cancelled', async () => {
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
