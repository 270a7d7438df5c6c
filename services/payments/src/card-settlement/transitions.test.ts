import { describe, expect, it } from '@jest/globals'
import type { CardDispute, CardPayment, CardRefund } from '@causeway/rails/cards'
import fc from 'fast-check'
import type { OpenFiatOrder } from '../fiat-orders/domain.ts'
import { refundIdsAfter, settlePayment, settleRefund, type CountedIds } from './transitions.ts'

const at = new Date('2026-11-01T00:00:00Z')
const order: OpenFiatOrder = {
  id: 'fio_1',
  orderKey: 1001,
  partnerId: 'prt_1',
  partnerCustomerId: 'pcu_1',
  merchantId: 'cus_1',
  integrationId: 'int_1',
  merchantName: 'Shop',
  kind: 'order',
  status: 'pending',
  currency: 'EUR',
  totalCents: 10_000,
  amountCents: 9_750,
  serviceFeeCents: 250,
  serviceFeePercent: 2.5,
  serviceFeePayer: 'merchant',
  refundedCents: 0,
  chargebackCents: 0,
  partnerFeeCents: 0,
  splits: [],
  reversedCents: 0,
  disputeFeeCents: null,
  merchantReference: null,
  processor: 'processor',
  processorOrderId: 'p1',
  processorStatus: 'new',
  orderUrl: 'https://cards.example/p1',
  returnUrl: null,
  failureUrl: null,
  createdAt: at,
  updatedAt: null,
  completedAt: null,
}
const refund = (id: string, amountCents: number, status: CardRefund['status'] = 'succeeded'): CardRefund => ({
  processorRefundId: id,
  refundId: null,
  orderKey: '1001',
  amountCents,
  currency: 'EUR',
  status,
  createdAt: at,
})
const dispute = (disputeId: string): CardDispute => ({
  disputeId,
  disputedAt: at,
  amountCents: null,
  currency: null,
  feeCents: null,
  feeCurrency: null,
  reason: null,
})
const payment = (change: Partial<CardPayment>): CardPayment => ({
  processorOrderId: 'p1',
  orderKey: '1001',
  status: 'completed',
  processorStatus: change.status ?? 'completed',
  currency: 'EUR',
  totalCents: 10_000,
  paidCents: 10_000,
  refundedCents: 0,
  refunds: [],
  disputes: [],
  payer: { ip: null, email: null },
  ...change,
})
const nothing: CountedIds = { refundIds: new Set(), failedRefundIds: new Set(), disputeIds: new Set() }
const typesOf = (from: OpenFiatOrder, reported: CardPayment, known = nothing) => {
  const settled = settlePayment(from, reported, known, at)
  return [settled.order.status, ...settled.steps.map(({ type }) => type)]
}

describe('settling a payment', () => {
  it.each([
    ['new', ['pending']],
    ['processing', ['pending']],
    ['completed', ['paid', 'payment.confirmed']],
    ['cancelled', ['cancelled', 'payment.cancelled']],
    ['expired', ['expired', 'payment.expired']],
  ] as const)('emits for a payment that is %s: %j', (status, expected) => {
    expect(typesOf(order, payment({ status }))).toEqual(expected)
  })

  it.each(['paid', 'completed', 'cancelled', 'expired', 'refunded', 'chargeback'] as const)(
    'changes nothing once the order is %s for any later report of the payment',
    (status) => {
      for (const said of ['new', 'processing', 'completed', 'cancelled', 'expired'] as const)
        expect(typesOf({ ...order, status }, payment({ status: said }))).toEqual([status])
    },
  )

  it('emits everything that one read reports, in the order in which it happened', () => {
    const all = payment({ refunds: [refund('r1', 100)], disputes: [dispute('d1')] })
    const settled = settlePayment(order, all, nothing, at)
    expect(settled.steps.map((step) => [step.type, step.order.status])).toEqual([
      ['payment.confirmed', 'paid'],
      ['payment.refunded', 'paid'],
      ['payment.chargeback', 'chargeback'],
    ])
    expect(settled.order).toMatchObject({ chargebackCents: 10_000, refundedCents: 0, completedAt: at })
  })

  it('refunds the order at the ceiling and not before, counting each refund once, and no failed or pending ones', () => {
    const paid = { ...order, status: 'paid' as const }
    expect(typesOf(paid, payment({ refunds: [refund('r1', 9_749)] }))).toEqual(['paid', 'payment.refunded'])
    expect(typesOf(paid, payment({ refunds: [refund('r1', 9_750)] }))).toEqual([
      'refunded',
      'payment.refunded',
    ])
    const open = [refund('r1', 9_750, 'pending'), refund('r2', 9_750, 'failed')]
    expect(typesOf(paid, payment({ refunds: open }))).toEqual(['paid'])
    const known = { ...nothing, refundIds: new Set(['r1']) }
    expect(typesOf(paid, payment({ refunds: [refund('r1', 9_750)] }), known)).toEqual(['paid'])
  })

  it('makes the order paid again when a counted refund fails, which never counts again', () => {
    const refunded = { ...order, status: 'refunded' as const, refundedCents: 9_750 }
    const counted = { ...nothing, refundIds: new Set(['r1']) }
    const failed = payment({ refunds: [refund('r1', 9_750, 'failed'), refund('r2', 1, 'failed')] })
    const settled = settlePayment(refunded, failed, counted, at)
    expect(settled.order).toMatchObject({ status: 'paid', refundedCents: 0 })
    expect(settled.steps.map(({ type }) => type)).toEqual(['payment.refunded'])
    expect(refundIdsAfter(counted, settled)).toEqual(new Set())
    const readBefore = payment({ refunds: [refund('r1', 9_750)] })
    const afterwards = { ...nothing, failedRefundIds: new Set(['r1']) }
    expect(settlePayment(settled.order, readBefore, afterwards, at).steps).toEqual([])
    expect(settlePayment(settled.order, failed, afterwards, at).steps).toEqual([])
  })

  it('leaves a chargeback unchanged when a refund after the dispute fails', () => {
    const disputed = { ...order, status: 'chargeback' as const, chargebackCents: 10_000 }
    const counted = { ...nothing, refundIds: new Set(['r1']) }
    const settled = settlePayment(disputed, payment({ refunds: [refund('r1', 100, 'failed')] }), counted, at)
    expect(settled.order).toMatchObject({ status: 'chargeback', chargebackCents: 10_000, refundedCents: 0 })
  })

  it('emits a refund after a dispute without counting its cents, which were charged back', () => {
    const disputed = { ...order, status: 'chargeback' as const, chargebackCents: 10_000 }
    const settled = settlePayment(disputed, payment({ refunds: [refund('r1', 100)] }), nothing, at)
    expect(settled.steps.map(({ type }) => type)).toEqual(['payment.refunded'])
    expect(settled.order).toMatchObject({ status: 'chargeback', chargebackCents: 10_000, refundedCents: 0 })
    expect(refundIdsAfter(nothing, settled)).toEqual(new Set(['r1']))
  })

  it('refunds the order beyond its ceiling when the rest is refunded elsewhere', () => {
    const refunded = { ...order, status: 'refunded' as const, refundedCents: 9_750 }
    const settled = settlePayment(refunded, payment({ refunds: [refund('r2', 250)] }), nothing, at)
    expect(settled.order).toMatchObject({ status: 'refunded', refundedCents: 10_000 })
    expect(settled.steps).toHaveLength(1)
  })

  it.each(['cancelled', 'expired'] as const)(
    'ignores a refund once the order is %s, because it was never paid',
    (status) => {
      const reported = payment({ status, refunds: [refund('r1', 100)] })
      expect(settlePayment({ ...order, status }, reported, nothing, at).steps).toEqual([])
    },
  )

  it('gives the same result however reads are repeated or reordered', () => {
    const story = [
      payment({ status: 'processing' }),
      payment({}),
      payment({ refunds: [refund('r1', 100)] }),
      payment({ refunds: [refund('r1', 100), refund('r2', 200)] }),
      payment({ refunds: [refund('r1', 100, 'failed'), refund('r2', 200)] }),
      payment({ refunds: [refund('r1', 100, 'failed'), refund('r2', 200)], disputes: [dispute('d1')] }),
    ]
    fc.assert(
      fc.property(fc.array(fc.nat(story.length - 1)), (readings) => {
        const refundIds = new Set<string>()
        const failedRefundIds = new Set<string>()
        const disputeIds = new Set<string>()
        const known = { refundIds, failedRefundIds, disputeIds }
        let state = order
        const emitted: string[] = []
        for (const index of [...readings, story.length - 1]) {
          const settled = settlePayment(state, story[index] as CardPayment, known, at)
          for (const step of settled.steps) {
            if (step.type === 'payment.refunded') {
              const { processorRefundId: id, status } = step.refund
              if (status === 'failed') failedRefundIds.add(id)
              if (status === 'failed') refundIds.delete(id)
              else refundIds.add(id)
            }
            if (step.type === 'payment.chargeback') disputeIds.add(step.dispute.disputeId)
            emitted.push(step.type)
          }
          state = settled.order
        }
        expect(emitted.filter((type) => type === 'payment.confirmed')).toHaveLength(1)
        expect(refundIds).toEqual(new Set(['r2']))
        expect(emitted.filter((type) => type === 'payment.refunded')).toHaveLength(
          failedRefundIds.size * 2 + 1,
        )
        expect(emitted.filter((type) => type === 'payment.chargeback')).toHaveLength(1)
        expect(state).toMatchObject({ status: 'chargeback', chargebackCents: 10_000, refundedCents: 0 })
      }),
    )
  })
})

describe('a recorded refund', () => {
  it('proves that a pending order was paid, and is counted', () => {
    const settled = settleRefund(order, refund('r1', 100), nothing, at)
    expect(settled.steps.map((step) => [step.type, step.order.status, step.order.refundedCents])).toEqual([
      ['payment.confirmed', 'paid', 0],
      ['payment.refunded', 'paid', 100],
    ])
    expect(settled.order).toMatchObject({ processorStatus: 'completed', completedAt: at })
    expect(refundIdsAfter(nothing, settled)).toEqual(new Set(['r1']))
  })

  it('keeps the processor status of a paid order, and is counted once', () => {
    const paid = { ...order, status: 'paid' as const, processorStatus: 'captured' }
    const settled = settleRefund(paid, refund('r1', 9_750), nothing, at)
    expect(settled.order).toMatchObject({
      status: 'refunded',
      processorStatus: 'captured',
      refundedCents: 9_750,
    })
    const counted = { ...nothing, refundIds: new Set(['r1']) }
    expect(settleRefund(paid, refund('r1', 9_750), counted, at)).toEqual({ order: paid, steps: [] })
  })

  it.each(['cancelled', 'expired'] as const)('is not counted for an order that is %s', (status) => {
    const settled = settleRefund({ ...order, status }, refund('r1', 100), nothing, at)
    expect(settled.steps).toEqual([])
    expect(refundIdsAfter(nothing, settled)).toEqual(new Set())
  })
})
