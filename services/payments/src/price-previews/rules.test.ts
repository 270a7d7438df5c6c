import type { PriceRule } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import { previewDisputeFees, previewServiceFees } from './rules.ts'
import type { Disputes, PaidOrders } from './store.ts'

const paid = (change: Partial<PaidOrders> = {}): PaidOrders => ({
  ...{ processor: 'processor', kind: 'order', currency: 'EUR', payer: 'merchant', feeHandling: null },
  ...{ priceCents: 10_000, orders: 1, feeCents: 250 },
  ...change,
})
const rule = (percent: number, change: Partial<PriceRule> = {}): PriceRule => ({
  ...{ rail: 'card', percent, fixed_cents: 0, payer: 'merchant' },
  ...change,
})
const terms = (...priceRules: PriceRule[]) => ({ priceRules, disputeFeeCents: null, useKybChoices: false })
const noStep = () => 1
const fees = (merchant_cents: number, customer_cents: number) => ({ merchant_cents, customer_cents })

test('rounds the fee of each order, and sums by currency and kind', () => {
  const orders = [
    paid({ priceCents: 30, orders: 3, feeCents: 3 }),
    paid({ priceCents: 100, feeCents: 2, payer: 'customer' }),
    paid({ kind: 'payment_link', feeCents: 1 }),
    paid({ currency: 'JPY', priceCents: 199, feeCents: 5 }),
  ]
  // 0.45 of a cent three times, and 1.5: nothing three times, and 2.
  expect(previewServiceFees(orders, terms(rule(1.5)), noStep)).toEqual([
    {
      ...{ currency: 'EUR', kind: 'order', orders: 4, refused_orders: 0 },
      ...{ charged: fees(3, 2), preview: fees(2, 0) },
    },
    {
      ...{ currency: 'EUR', kind: 'payment_link', orders: 1, refused_orders: 0 },
      ...{ charged: fees(1, 0), preview: fees(150, 0) },
    },
    {
      ...{ currency: 'JPY', kind: 'order', orders: 1, refused_orders: 0 },
      ...{ charged: fees(5, 0), preview: fees(3, 0) },
    },
  ])
})

test('charges nothing where no rule applies, and counts orders whose fee would be above their price', () => {
  const crypto = rule(50, { rail: 'crypto' })
  expect(previewServiceFees([paid()], terms(crypto), noStep)).toMatchObject([{ preview: fees(0, 0) }])
  const fixed = rule(0, { fixed_cents: 100, currency: 'EUR' })
  const orders = [paid({ priceCents: 99, orders: 7 }), paid({ priceCents: 100 })]
  expect(previewServiceFees(orders, terms(fixed), noStep)).toMatchObject([
    { orders: 8, refused_orders: 7, preview: fees(100, 0) },
  ])
})

test('takes the payer from the rule, or from the merchant’s choice where the terms use it', () => {
  const orders = [paid({ feeHandling: 'customer_pays' })]
  expect(previewServiceFees(orders, terms(rule(1)), noStep)).toMatchObject([{ preview: fees(100, 0) }])
  const choosing = { ...terms(rule(1)), useKybChoices: true }
  expect(previewServiceFees(orders, choosing, noStep)).toMatchObject([{ preview: fees(0, 100) }])
})

test('rounds fees to the step of the processor that took the order', () => {
  const step = (processor: string) => (processor === 'coarse' ? 10 : 1)
  const orders = [paid({ priceCents: 12_340 }), paid({ priceCents: 12_340, processor: 'coarse' })]
  expect(previewServiceFees(orders, terms(rule(2.5)), step)).toMatchObject([{ preview: fees(309 + 310, 0) }])
})

test('charges disputes by the plan in the order’s currency, otherwise as the processor does', () => {
  const dispute: Disputes = {
    ...{ currency: 'EUR', planCents: null, processorCents: 1_500, processorCurrency: 'USD', disputes: 2 },
  }
  const found = [dispute, { ...dispute, planCents: 900, disputes: 1 }]
  expect(previewDisputeFees(found, { disputeFeeCents: null })).toEqual([
    { currency: 'EUR', charged_cents: 900, preview_cents: 0 },
    { currency: 'USD', charged_cents: 3_000, preview_cents: 4_500 },
  ])
  expect(previewDisputeFees(found, { disputeFeeCents: 1_000 })).toEqual([
    { currency: 'EUR', charged_cents: 900, preview_cents: 3_000 },
    { currency: 'USD', charged_cents: 3_000, preview_cents: 0 },
  ])
})
