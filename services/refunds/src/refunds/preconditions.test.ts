import { describe, expect, it } from '@jest/globals'
import { ceilingOf, refuseAmount, refuseState, refuseUnpaid, refuseUnsupported } from './preconditions.ts'

const amounts = { total_cents: 10_250, amount_cents: 10_000 }
const partial = { partialRefunds: true }
const full = { partialRefunds: false }
const requested = (amountCents: number) => ({ amountCents, hasOrderLines: false })
const left = (remainingCents: number) => ({ maxCents: 1_000, refundedCents: 0, remainingCents })

describe('the ceiling', () => {
  it('is the total if the customer bears the fee, and the subtotal if the merchant does', () => {
    expect(ceilingOf({ ...amounts, service_fee_payer: 'customer' }, 250)).toEqual({
      maxCents: 10_250,
      refundedCents: 250,
      remainingCents: 10_000,
    })
    expect(ceilingOf({ ...amounts, service_fee_payer: 'merchant' }, 250).remainingCents).toBe(9_750)
  })

  it('never leaves less than zero when more was refunded elsewhere', () => {
    expect(ceilingOf({ ...amounts, service_fee_payer: 'merchant' }, 10_250).remainingCents).toBe(0)
  })
})

describe('the preconditions', () => {
  it('refuse a payment link before they check its status', () => {
    expect(refuseState({ kind: 'payment_link', status: 'pending' })).toEqual({
      ok: false,
      code: 'not_refundable',
    })
  })

  it.each(['pending', 'cancelled', 'expired', 'refunded', 'chargeback'] as const)(
    'refuse an order that is %s',
    (status) => {
      expect(refuseState({ kind: 'order', status })).toEqual({ ok: false, code: 'order_not_paid' })
    },
  )

  it.each(['paid', 'completed'] as const)('accept an order that is %s', (status) => {
    expect(refuseState({ kind: 'order', status })).toBeNull()
  })

  it('refuse an unpaid payment, and lines where lines are not supported', () => {
    expect(refuseUnpaid({ paidCents: 0 })).toEqual({ ok: false, code: 'not_refundable' })
    expect(refuseUnpaid({ paidCents: 1 })).toBeNull()
    const order = { currency: 'EUR' }
    const withLines = { amountCents: 1, hasOrderLines: true }
    const traits = { orderLines: true, amountStep: () => 1 }
    expect(refuseUnsupported(withLines, order, traits)).toBeNull()
    expect(refuseUnsupported(withLines, order, { ...traits, orderLines: false })).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'order_lines', reason: 'invalid_value' }],
    })
  })

  it('refuse an amount between the steps in which the processor counts the currency', () => {
    const traits = { orderLines: false, amountStep: (currency: string) => (currency === 'KWD' ? 10 : 1) }
    expect(refuseUnsupported(requested(1_230), { currency: 'KWD' }, traits)).toBeNull()
    expect(refuseUnsupported(requested(1_234), { currency: 'EUR' }, traits)).toBeNull()
    expect(refuseUnsupported(requested(1_234), { currency: 'KWD' }, traits)).toEqual({
      ok: false,
      code: 'invalid_request',
      details: [{ field: 'amount_cents', reason: 'invalid_value', expected: 'a multiple of 10' }],
    })
  })

  it('report that nothing remains before any error of the amount', () => {
    const nothing = { ok: false, code: 'nothing_to_refund' }
    expect([refuseAmount(requested(1), left(0), partial), refuseAmount(requested(1), left(0), full)]).toEqual(
      [nothing, nothing],
    )
  })

  it('accept every part up to the remainder, or only the remainder, and name it otherwise', () => {
    const details = [{ remaining_refundable_cents: 500 }]
    expect([1, 500].map((cents) => refuseAmount(requested(cents), left(500), partial))).toEqual([null, null])
    expect(refuseAmount(requested(501), left(500), partial)).toEqual({
      ok: false,
      code: 'amount_exceeds_remaining',
      details,
    })
    expect(refuseAmount(requested(500), left(500), full)).toBeNull()
    for (const cents of [1, 499, 501])
      expect(refuseAmount(requested(cents), left(500), full)).toEqual({
        ok: false,
        code: 'refund_full_value_only',
        details,
      })
  })
})
