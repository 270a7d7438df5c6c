import { readLedgerFact, type LedgerFactOf } from '@causeway/contracts'
import { newId } from '@causeway/chassis'
import type { CardDispute, CardPayment, CardRefund } from '@causeway/rails/cards'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { postingsOf } from '../../services/ledger/src/posting/rules.ts'
import { ledgerFactsOf } from '../../services/payments/src/card-settlement/ledger-facts.ts'
import {
  refundIdsAfter,
  settlePayment,
  type CountedIds,
} from '../../services/payments/src/card-settlement/transitions.ts'
import type { OpenFiatOrder } from '../../services/payments/src/fiat-orders/domain.ts'
import { maxRefundableCents, splitPrice } from '../../services/payments/src/fiat-orders/service-fee.ts'
import { sharesBetween, splitCents } from '../../services/payments/src/fiat-orders/shares.ts'

const AT = new Date('2026-11-01T00:00:00Z')
const MAX_SPLITS = 20
const RECEIVERS = Array.from({ length: MAX_SPLITS }, () => newId('relationship'))
/** Currencies of 0, 2 and 3 decimals, with the step of their amounts and a usual highest price. */
const CURRENCIES = [
  { currency: 'JPY', step: 1, highest: 300 },
  { currency: 'EUR', step: 1, highest: 99_999_999_999 },
  { currency: 'KWD', step: 10, highest: 50_000 },
] as const

const INITIAL = {
  id: newId('fiatOrder'),
  orderKey: 1_001,
  partnerId: newId('partner'),
  partnerCustomerId: newId('relationship'),
  merchantId: newId('merchant'),
  integrationId: newId('integration'),
  merchantName: 'Shop',
  kind: 'order',
  status: 'pending',
  refundedCents: 0,
  chargebackCents: 0,
  reversedCents: 0,
  disputeFeeCents: null,
  merchantReference: null,
  processor: 'stripe',
  processorOrderId: 'p1',
  processorStatus: 'new',
  orderUrl: 'https://cards.example',
  returnUrl: null,
  failureUrl: null,
  createdAt: AT,
  updatedAt: null,
  completedAt: null,
} as const

/** Any order: shares are drawn one after the other from what is left, so that often nothing is left to the merchant. */
const someOrder: fc.Arbitrary<OpenFiatOrder> = fc
  .record({
    money: fc.constantFrom(...CURRENCIES),
    price: fc.nat(),
    percent: fc.integer({ min: 0, max: 2_000 }),
    serviceFeePayer: fc.constantFrom('customer', 'merchant'),
    fee: fc.nat(),
    draws: fc.array(fc.oneof(fc.constant(1), fc.nat()), { maxLength: MAX_SPLITS }),
    takesRest: fc.boolean(),
  })
  .map(({ money: { currency, step, highest }, price, percent, serviceFeePayer, fee, draws, takesRest }) => {
    const amounts = splitPrice(
      step * (1 + (price % Math.floor(highest / step))),
      { percent: percent / 100, fixedCents: 0 },
      serviceFeePayer,
      step,
    )
    const partnerFeeCents = fee % (amounts.amountCents + 1)
    let left = amounts.amountCents - partnerFeeCents
    const splits = draws.flatMap((draw, place) => {
      const isLast = place === draws.length - 1
      const amount_cents = isLast && takesRest ? left : draw % (left + 1)
      left -= amount_cents
      return amount_cents === 0
        ? []
        : [{ partner_customer_id: RECEIVERS[place] ?? '', amount_cents, reference: null }]
    })
    const shared = { serviceFeePercent: percent / 100, serviceFeePayer, partnerFeeCents, splits }
    return { ...INITIAL, ...amounts, ...shared, currency }
  })

type Step = Readonly<{ act: 'refund' | 'fail' | 'dispute' | 'win'; choice: number; stated: boolean }>
const someStep: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('refund', 'refund', 'fail', 'dispute', 'win'),
  choice: fc.nat(),
  stated: fc.boolean(),
})

/** An order under settlement, whose facts are posted by the ledger's rules as they are made. */
const createBooks = (pending: OpenFiatOrder) => {
  let order = pending
  let counted: CountedIds = { refundIds: new Set(), failedRefundIds: new Set(), disputeIds: new Set() }
  const refunds: CardRefund[] = []
  const disputes: CardDispute[] = []
  /** Disputes that are neither won nor lost, by the fact of each. */
  const open: LedgerFactOf<'card_disputed'>[] = []
  const sums = new Map<string, number>()
  const has = { refundAfterDispute: false, dispute: false }

  const post = (fact: object): void => {
    for (const { transfers } of postingsOf(readLedgerFact(JSON.parse(JSON.stringify(fact)))))
      for (const { debit, credit, amount } of transfers)
        for (const [account, sign] of [
          [debit, -1],
          [credit, 1],
        ] as const) {
          const key = account.ownerId ?? account.name
          sums.set(key, (sums.get(key) ?? 0) + sign * Number(amount))
        }
  }

  const read = (): void => {
    const paid = { currency: order.currency, paidCents: order.totalCents }
    const state = { status: 'completed', processorStatus: 'completed', ...paid, refunds, disputes }
    const settlement = settlePayment(order, state as unknown as CardPayment, counted, AT)
    for (const step of settlement.steps) {
      for (const fact of ledgerFactsOf(step, { availableAfterMs: 1_000, now: AT })) {
        post(fact)
        if (fact.kind === 'card_disputed') open.push(fact)
      }
      if (step.type === 'payment.refunded' && has.dispute) has.refundAfterDispute = true
      if (step.type === 'payment.chargeback') has.dispute = true
    }
    counted = {
      refundIds: refundIdsAfter(counted, settlement),
      failedRefundIds: new Set(
        refunds.filter(({ status }) => status === 'failed').map(({ processorRefundId: id }) => id),
      ),
      disputeIds: new Set(disputes.map(({ disputeId }) => disputeId)),
    }
    order = settlement.order
  }

  const made = { refundId: null, orderKey: null, currency: order.currency, createdAt: AT }
  const refundedCents = () =>
    refunds.reduce((sum, { status, amountCents }) => sum + (status === 'failed' ? 0 : amountCents), 0)

  const refund = (amountCents: number): void => {
    refunds.push({ ...made, processorRefundId: `r${refunds.length}`, amountCents, status: 'succeeded' })
    read()
  }
  const fail = (place: number): void => {
    const known = refunds[place]
    if (known) refunds[place] = { ...known, status: 'failed' }
    read()
  }
  /** A dispute that is decided for the merchant: the fact of it, as payments would make it. */
  const win = (place: number): void => {
    const [fact] = open.splice(place, 1)
    if (!fact) return
    const reversedCents = order.reversedCents - fact.amount_cents
    const { partnerFeeCents, splits } = sharesBetween(order, order.reversedCents, reversedCents)
    order = { ...order, reversedCents }
    const won = { fact_id: `${fact.fact_id}:won`, reverses: fact.fact_id }
    post({ ...fact, ...won, partner_fee_cents: partnerFeeCents, splits })
  }

  read()
  return {
    has,
    refund,
    reversedCents: () => order.reversedCents,
    of: (account: string) => sums.get(account) ?? 0,
    sum: () => [...sums.values()].reduce((sum, each) => sum + each, 0),
    play({ act, choice, stated }: Step): void {
      const left = order.totalCents - refundedCents()
      if (act === 'refund' && left > 0) refund(1 + (choice % left))
      if (act === 'fail' && refunds.length > 0) fail(choice % refunds.length)
      if (act === 'dispute') {
        const amountCents = stated ? 1 + (choice % order.totalCents) : null
        const dispute = { disputeId: `d${disputes.length}`, disputedAt: null, reason: null }
        disputes.push({
          ...dispute,
          amountCents,
          currency: order.currency,
          feeCents: null,
          feeCurrency: null,
        })
        read()
      }
      if (act === 'win' && open.length > 0) win(choice % open.length)
    },
    reverseEverything(): void {
      for (const place of refunds.keys()) fail(place)
      while (open.length > 0) win(open.length - 1)
    },
  }
}

const within = (amount: number, lowest: number, highest: number): void => {
  expect(amount).toBeGreaterThanOrEqual(lowest)
  expect(amount).toBeLessThanOrEqual(highest)
}

test('gives every party its share, never takes more from it, and leaves nothing when everything is refunded', () => {
  fc.assert(
    fc.property(someOrder, fc.array(someStep, { maxLength: 12 }), (order, steps) => {
      const { partnerId, partnerCustomerId: merchantId, partnerFeeCents, serviceFeeCents } = order
      const restCents = order.amountCents - partnerFeeCents - splitCents(order)
      const refundable = maxRefundableCents(order, order.serviceFeePayer)
      const books = createBooks(order)
      const expectShares = (share: (cents: number, held: number) => void): void => {
        share(partnerFeeCents, books.of(partnerId))
        for (const { partner_customer_id, amount_cents } of order.splits)
          share(amount_cents, books.of(partner_customer_id))
      }
      const expectWhole = (): void => {
        expectShares((cents, held) => {
          expect(held).toBe(cents)
        })
        expect(books.of(merchantId) + books.of('income:service_fee')).toBe(restCents + serviceFeeCents)
        if (!books.has.refundAfterDispute) expect(books.of(merchantId)).toBe(restCents)
      }
      expectWhole()
      for (const step of steps) {
        books.play(step)
        expect(books.sum()).toBe(0)
        expectShares((cents, held) => {
          within(held, 0, cents)
          if (books.reversedCents() >= refundable) expect(held).toBe(0)
        })
        if (!books.has.dispute && books.reversedCents() <= refundable)
          within(books.of(merchantId), 0, restCents)
      }
      books.reverseEverything()
      expectWhole()
      books.refund(refundable)
      expectShares((_, held) => {
        expect(held).toBe(0)
      })
      if (!books.has.dispute) expect(books.of(merchantId)).toBe(0)
      if (!books.has.dispute && order.serviceFeePayer === 'customer')
        expect([books.of('income:service_fee'), books.of('processor:stripe:receivable')]).toEqual([0, 0])
    }),
    { numRuns: 1_000 },
  )
})
