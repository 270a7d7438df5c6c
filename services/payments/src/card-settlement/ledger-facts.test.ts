import { describe, expect, it } from '@jest/globals'
import { readLedgerFact } from '@causeway/contracts'
import { newId } from '@causeway/chassis'
import type { CardDispute, CardPayment, CardRefund } from '@causeway/rails/cards'
import type { OpenFiatOrder } from '../fiat-orders/domain.ts'
import { ledgerFactsOf } from './ledger-facts.ts'
import { settleDispute, settlePayment, type CountedIds } from './transitions.ts'

const paidAt = new Date('2026-11-01T00:00:00.000Z')
const later = new Date('2026-11-03T00:00:00.000Z')
const HOUR_MS = 3_600_000
const order: OpenFiatOrder = {
  id: newId('fiatOrder'),
  orderKey: 1001,
  partnerId: newId('partner'),
  partnerCustomerId: newId('relationship'),
  merchantId: newId('merchant'),
  integrationId: newId('integration'),
  merchantName: 'Shop',
  kind: 'order',
  status: 'pending',
  currency: 'EUR',
  totalCents: 10_250,
  amountCents: 10_000,
  serviceFeeCents: 250,
  serviceFeePercent: 2.5,
  serviceFeePayer: 'customer',
  refundedCents: 0,
  chargebackCents: 0,
  partnerFeeCents: 0,
  splits: [],
  reversedCents: 0,
  disputeFeeCents: null,
  merchantReference: null,
  processor: 'stripe',
  processorOrderId: 'p1',
  processorStatus: 'new',
  orderUrl: 'https://cards.example/p1',
  returnUrl: null,
  failureUrl: null,
  createdAt: paidAt,
  updatedAt: null,
  completedAt: null,
}
const paid: OpenFiatOrder = { ...order, status: 'paid', completedAt: paidAt }
const refund = (id: string, amountCents: number, status: CardRefund['status'] = 'succeeded'): CardRefund => ({
  processorRefundId: id,
  refundId: null,
  orderKey: '1001',
  amountCents,
  currency: 'EUR',
  status,
  createdAt: paidAt,
})
const dispute = (change: Partial<CardDispute> = {}): CardDispute => ({
  disputeId: 'd1',
  disputedAt: paidAt,
  amountCents: null,
  currency: null,
  feeCents: null,
  feeCurrency: null,
  reason: null,
  ...change,
})
const payment = (refunds: readonly CardRefund[] = []): CardPayment => ({
  processorOrderId: 'p1',
  orderKey: '1001',
  status: 'completed',
  processorStatus: 'completed',
  currency: 'EUR',
  totalCents: 10_250,
  paidCents: 10_250,
  refundedCents: 0,
  refunds,
  disputes: [],
  payer: { ip: null, email: null },
})
const counted = (...refundIds: string[]): CountedIds => ({
  refundIds: new Set(refundIds),
  failedRefundIds: new Set(),
  disputeIds: new Set(),
})
/** The facts of a settlement; each has the shape that the ledger reads. */
const factsOf = ({ steps }: ReturnType<typeof settlePayment>, now: Date) =>
  steps
    .flatMap((step) => ledgerFactsOf(step, { availableAfterMs: 48 * HOUR_MS, now }))
    .map((fact) => readLedgerFact(JSON.parse(JSON.stringify(fact))))
const factsOfRefunds = (from: OpenFiatOrder, refunds: readonly CardRefund[], known = counted()) =>
  factsOf(settlePayment(from, payment(refunds), known, later), later)
const factsOfDispute = (from: OpenFiatOrder, change: Partial<CardDispute> = {}) =>
  factsOf(settleDispute(from, dispute(change), counted(), later), later)

it('states all numbers of a payment, and when its money becomes available', () => {
  expect(factsOf(settlePayment(order, payment(), counted(), paidAt), paidAt)).toEqual([
    {
      kind: 'card_paid',
      fact_id: `card_paid:${order.id}`,
      order_key: '1001',
      order_id: order.id,
      partner_id: order.partnerId,
      partner_customer_id: order.partnerCustomerId,
      processor: 'stripe',
      currency: 'EUR',
      at: '2026-11-01T00:00:00.000Z',
      total_cents: 10_250,
      service_fee_cents: 250,
      partner_fee_cents: 0,
      splits: [],
      available_at: '2026-11-03T00:00:00.000Z',
    },
  ])
})

it('states nothing of an order that ends without a payment', () => {
  const cancelled = settlePayment(order, { ...payment(), status: 'cancelled' }, counted(), later)
  expect(cancelled.steps).toHaveLength(1)
  expect(factsOf(cancelled, later)).toEqual([])
})

describe('a refund', () => {
  it('returns the service fee in proportion, and all of it when everything is refunded', () => {
    const refunds = [refund('r1', 3_417), refund('r2', 3_417), refund('r3', 3_416)]
    const facts = factsOfRefunds(paid, refunds)
    expect(facts).toMatchObject([
      { fact_id: 'card_refunded:stripe:r1', amount_cents: 3_417, service_fee_cents: 83, reverses: null },
      { fact_id: 'card_refunded:stripe:r2', amount_cents: 3_417, service_fee_cents: 84, reverses: null },
      { fact_id: 'card_refunded:stripe:r3', amount_cents: 3_416, service_fee_cents: 83, reverses: null },
    ])
  })

  it('returns no service fee that the merchant bore', () => {
    const facts = factsOfRefunds({ ...paid, serviceFeePayer: 'merchant' }, [refund('r1', 5_000)])
    expect(facts).toMatchObject([{ amount_cents: 5_000, service_fee_cents: 0 }])
  })

  it('names when its order’s payment becomes available', () => {
    expect(factsOfRefunds(paid, [refund('r1', 1)])).toMatchObject([
      { at: later.toISOString(), available_at: '2026-11-03T00:00:00.000Z' },
    ])
  })

  it('is reversed with its fee when it fails', () => {
    const known = counted('r1')
    const failed = refund('r1', 3_417, 'failed')
    expect(factsOfRefunds({ ...paid, refundedCents: 3_417 }, [failed], known)).toMatchObject([
      {
        fact_id: 'card_refund_failed:stripe:r1',
        reverses: 'card_refunded:stripe:r1',
        amount_cents: 3_417,
        service_fee_cents: 83,
      },
    ])
  })

  it('is recorded when it is seen after a dispute, whose stated amount does not contain it', () => {
    const disputed: OpenFiatOrder = { ...paid, status: 'chargeback', chargebackCents: 10_250 }
    expect(factsOfRefunds(disputed, [refund('r1', 1_025)])).toMatchObject([
      { amount_cents: 1_025, service_fee_cents: 25 },
    ])
  })
})

describe('a dispute', () => {
  it('takes the amount that the processor states in the order’s currency, and its fee', () => {
    const stated = { amountCents: 9_000, currency: 'EUR', feeCents: 1_500, feeCurrency: 'USD' }
    expect(factsOfDispute(paid, stated)).toMatchObject([
      {
        fact_id: 'card_disputed:stripe:d1',
        amount_cents: 9_000,
        estimated: false,
        fee: { currency: 'USD', amount_cents: 1_500 },
      },
    ])
  })

  it.each([
    ['states none', {}],
    ['states one in another currency', { amountCents: 99, currency: 'USD' }],
  ])('takes what the order still held when the processor %s', (_, stated) => {
    expect(factsOfDispute({ ...paid, refundedCents: 1_000 }, stated)).toMatchObject([
      { amount_cents: 9_250, estimated: true, fee: null },
    ])
    const disputed: OpenFiatOrder = { ...paid, status: 'chargeback', chargebackCents: 10_250 }
    expect(factsOfDispute(disputed, stated)).toMatchObject([{ amount_cents: 0, estimated: true }])
  })

  it('charges the fee of the order’s price plan instead of the processor’s', () => {
    const stated = { amountCents: 9_000, currency: 'EUR', feeCents: 1_500, feeCurrency: 'USD' }
    expect(factsOfDispute({ ...paid, disputeFeeCents: 2_000 }, stated)).toMatchObject([
      { amount_cents: 9_000, fee: null, plan_fee_cents: 2_000 },
    ])
  })

  it('proves the payment of an order that was never seen paid', () => {
    expect(factsOfDispute(order, { amountCents: 10_250, currency: 'EUR' })).toMatchObject([
      { kind: 'card_paid', at: later.toISOString(), total_cents: 10_250 },
      { kind: 'card_disputed', amount_cents: 10_250 },
    ])
  })
})

const RECEIVER = newId('relationship')
const shared: OpenFiatOrder = {
  ...paid,
  partnerFeeCents: 300,
  splits: [{ partner_customer_id: RECEIVER, amount_cents: 1_000, reference: 'supplier' }],
}
const splitOf = (amount_cents: number) => [{ partner_customer_id: RECEIVER, amount_cents }]

describe('the shares of the partner and of receivers', () => {
  it('are stated with the payment, without the references of the splits', () => {
    expect(
      factsOf(settlePayment({ ...shared, status: 'pending' }, payment(), counted(), paidAt), paidAt),
    ).toMatchObject([{ kind: 'card_paid', partner_fee_cents: 300, splits: splitOf(1_000) }])
  })

  it('are given back by each refund, and taken again when it fails', () => {
    const refunds = [refund('r1', 3_417), refund('r2', 6_833)]
    expect(factsOfRefunds(shared, refunds)).toMatchObject([
      { partner_fee_cents: 100, splits: splitOf(333) },
      { partner_fee_cents: 200, splits: splitOf(667) },
    ])
    const refunded = { ...shared, refundedCents: 3_417, reversedCents: 3_417 }
    expect(factsOfRefunds(refunded, [refund('r1', 3_417, 'failed')], counted('r1'))).toMatchObject([
      { reverses: 'card_refunded:stripe:r1', partner_fee_cents: 100, splits: splitOf(333) },
    ])
  })

  it('are given back by a dispute in proportion, and the rest of them by a refund after it', () => {
    const refunded = { ...shared, refundedCents: 1_025, reversedCents: 1_025 }
    const stated = dispute({ amountCents: 5_125, currency: 'EUR' })
    const disputed = settleDispute(refunded, stated, counted(), later)
    expect(factsOf(disputed, later)).toMatchObject([
      { amount_cents: 5_125, partner_fee_cents: 150, splits: splitOf(500) },
    ])
    expect(disputed.order).toMatchObject({ refundedCents: 0, reversedCents: 6_150 })
    expect(factsOfRefunds(disputed.order, [refund('r2', 5_125)])).toMatchObject([
      { amount_cents: 5_125, partner_fee_cents: 120, splits: splitOf(400) },
    ])
  })
})
