import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type CardRefund, type CheckoutRequest, effectOf, type RefundRequest } from '../src/cards.ts'
import { describeCardFaults } from './card-fault-suite.ts'
import { describeCardNotices } from './card-notice-suite.ts'
import { type CardFixture, checkoutRequest } from './card-fixture.ts'

/**
 * Guarantees of every card processor.
 * @param start a fresh processor and its adapter
 */
export const describeCardProcessor = (name: string, start: () => Promise<CardFixture>): void => {
  describe(`card processor: ${name}`, () => {
    let fixture: CardFixture

    beforeEach(async () => {
      fixture = await start()
    })
    afterEach(async () => {
      await fixture.stop()
    })

    const checkout = async (change: Partial<CheckoutRequest> = {}) => {
      const request = checkoutRequest(fixture.noticeUrl, change)
      return { request, ...(await fixture.processor.createCheckout(request)) }
    }
    const paid = async (change: Partial<CheckoutRequest> = {}) => {
      const made = await checkout(change)
      await fixture.pay(made.request.orderKey, 'completed')
      return made
    }
    const refundOf = (processorOrderId: string, change: Partial<RefundRequest> = {}): RefundRequest => ({
      processorOrderId,
      refundId: 'rfd_1',
      amountCents: 10_000,
      description: 'Sent back',
      orderLines: null,
      ...change,
    })
    const refusal = async (asked: Promise<unknown>) =>
      asked.then(
        () => 'done',
        (error: unknown) => effectOf(error),
      )
    const read = (processorOrderId: string) => fixture.processor.readPayment(processorOrderId)

    test('opens a new checkout of the requested amount, which nobody has paid', async () => {
      const { request, processorOrderId, orderUrl } = await checkout()
      expect(await read(processorOrderId)).toEqual({
        processorOrderId,
        orderKey: request.orderKey,
        status: 'new',
        processorStatus: expect.any(String),
        currency: 'EUR',
        totalCents: 10_000,
        paidCents: 0,
        refundedCents: 0,
        refunds: [],
        disputes: [],
        payer: { ip: null, email: null },
      })
      expect(new URL(orderUrl).protocol).toMatch(/^https?:$/)
    })

    test('returns the same checkout for the same order, also to concurrent calls', async () => {
      const request = checkoutRequest(fixture.noticeUrl)
      const made = await Promise.all(
        Array.from({ length: 8 }, () => fixture.processor.createCheckout(request)),
      )
      expect(new Set(made.map(({ processorOrderId }) => processorOrderId)).size).toBe(1)
      expect(new Set(made.map(({ orderUrl }) => orderUrl)).size).toBe(1)
    })

    test('refuses the same order with other values, and changes nothing', async () => {
      const { request, processorOrderId } = await checkout()
      const asked = fixture.processor.createCheckout({
        ...request,
        totalCents: 20_000,
        refundableCents: 20_000,
      })
      expect(await refusal(asked)).toBe('refused')
      expect((await read(processorOrderId)).totalCents).toBe(10_000)
    })

    test.each(['processing', 'completed', 'cancelled', 'expired'] as const)(
      'reads the outcome %s of a payer',
      async (outcome) => {
        const { request, processorOrderId } = await checkout()
        await fixture.pay(request.orderKey, outcome)
        expect(await read(processorOrderId)).toMatchObject({
          status: outcome,
          paidCents: outcome === 'completed' ? 10_000 : 0,
        })
      },
    )

    test.each([
      ['JPY', 1_250],
      ['ISK', 990],
      ['EUR', 1_999],
      ['MGA', 40_000],
      ['KWD', 12_340],
    ])('charges and refunds an amount in %s in the minor unit of ISO 4217', async (currency, cents) => {
      const { processorOrderId } = await paid({ currency, totalCents: cents, refundableCents: cents })
      const refund = await fixture.processor.refund(refundOf(processorOrderId, { amountCents: cents }))
      expect(refund).toMatchObject({ amountCents: cents, currency })
      expect(await read(processorOrderId)).toMatchObject({
        currency,
        totalCents: cents,
        paidCents: cents,
        refundedCents: cents,
      })
    })

    test('refuses a currency that does not exist', async () => {
      expect(await refusal(checkout({ currency: 'QQQ' }))).toBe('refused')
    })

    test('shows a refund in the payment, in its list and among all refunds, with our id', async () => {
      const { request, processorOrderId } = await paid()
      const before = new Date(Date.now() - 5_000)
      const refund = await fixture.processor.refund(refundOf(processorOrderId))
      expect(refund).toEqual({
        processorRefundId: expect.any(String),
        refundId: 'rfd_1',
        orderKey: request.orderKey,
        amountCents: 10_000,
        currency: 'EUR',
        status: 'succeeded',
        createdAt: expect.any(Date),
      })
      expect(await read(processorOrderId)).toMatchObject({ refundedCents: 10_000, refunds: [refund] })
      expect(await fixture.processor.listRefunds(processorOrderId)).toEqual([refund])
      expect(await fixture.processor.refundsSince({ since: before, until: null, cursor: null })).toEqual({
        refunds: [refund],
        next: null,
      })
    })

    test('makes one refund for a refund key, however often and concurrently it is requested', async () => {
      const { processorOrderId } = await paid()
      const request = refundOf(processorOrderId)
      const answers = await Promise.all(Array.from({ length: 8 }, () => fixture.processor.refund(request)))
      const [first] = answers
      expect(answers).toEqual(Array.from({ length: 8 }, () => first))
      expect(await fixture.processor.refund(request)).toEqual(first)
      expect(await fixture.processor.listRefunds(processorOrderId)).toEqual([first])
    })

    test('refuses a refund key that was used for another refund', async () => {
      const { processorOrderId } = await paid()
      await fixture.processor.refund(refundOf(processorOrderId))
      const asked = fixture.processor.refund(refundOf(processorOrderId, { description: 'Another' }))
      expect(await refusal(asked)).toBe('refused')
      expect((await read(processorOrderId)).refundedCents).toBe(10_000)
    })

    test('refunds a part of the value where the traits say so, and refuses it otherwise', async () => {
      const { processorOrderId } = await paid()
      const part = fixture.processor.refund(refundOf(processorOrderId, { amountCents: 4_000 }))
      if (fixture.processor.traits.partialRefunds) {
        expect(await part).toMatchObject({ amountCents: 4_000, status: 'succeeded' })
        const rest = refundOf(processorOrderId, { amountCents: 6_000, refundId: 'rfd_2' })
        await fixture.processor.refund(rest)
        expect((await read(processorOrderId)).refundedCents).toBe(10_000)
      } else {
        expect(await refusal(part)).toBe('refused')
        expect((await read(processorOrderId)).refundedCents).toBe(0)
      }
    })

    test('accepts as the full value what the order may have refunded, less what was refunded elsewhere', async () => {
      const { request, processorOrderId } = await paid({ refundableCents: 9_750 })
      await fixture.refundOutside(request.orderKey, 750)
      await fixture.processor.refund(refundOf(processorOrderId, { amountCents: 9_000 }))
      expect((await read(processorOrderId)).refundedCents).toBe(9_750)
    })

    test('refuses a refund of more than remains', async () => {
      const { processorOrderId } = await paid()
      expect(
        await refusal(fixture.processor.refund(refundOf(processorOrderId, { amountCents: 10_001 }))),
      ).toBe('refused')
      await fixture.processor.refund(refundOf(processorOrderId))
      const again = refundOf(processorOrderId, { refundId: 'rfd_2' })
      expect(await refusal(fixture.processor.refund(again))).toBe('refused')
    })

    test('accepts order lines where the traits say so, and refuses them otherwise', async () => {
      const { processorOrderId } = await paid()
      const orderLines = [{ merchantOrderLineId: 'sku-1', quantity: 2 }]
      const asked = fixture.processor.refund(refundOf(processorOrderId, { orderLines }))
      expect(await refusal(asked)).toBe(fixture.processor.traits.orderLines ? 'done' : 'refused')
    })

    test('refuses to refund an unpaid order', async () => {
      const { processorOrderId } = await checkout()
      expect(await refusal(fixture.processor.refund(refundOf(processorOrderId)))).toBe('refused')
    })

    test('counts a refund made elsewhere, without an id of ours', async () => {
      const { request, processorOrderId } = await paid()
      await fixture.refundOutside(request.orderKey, 2_500)
      expect(await read(processorOrderId)).toMatchObject({
        refundedCents: 2_500,
        refunds: [{ refundId: null, orderKey: request.orderKey, amountCents: 2_500 }],
      })
    })

    test('lists every refund once, also beyond one page', async () => {
      const { request, processorOrderId } = await paid()
      for (let made = 0; made < 205; made += 1) await fixture.refundOutside(request.orderKey, 1)
      expect(await fixture.processor.listRefunds(processorOrderId)).toHaveLength(205)
      expect((await read(processorOrderId)).refundedCents).toBe(205)
      const since = new Date(Date.now() - 60_000)
      const seen: CardRefund[] = []
      let pages = 0
      for (let cursor: string | null = null, more = true; more; pages += 1) {
        const page = await fixture.processor.refundsSince({ since, until: null, cursor })
        seen.push(...page.refunds)
        cursor = page.next
        more = page.next !== null
      }
      expect(new Set(seen.map(({ processorRefundId }) => processorRefundId)).size).toBe(205)
      expect(seen).toHaveLength(205)
      expect(pages).toBeGreaterThan(1)
    })

    test('leaves out refunds before the requested time, and at its end or after it', async () => {
      const { request } = await paid()
      const [early, late] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)]
      await fixture.refundOutside(request.orderKey, 100)
      const toldOf = async (since: Date, until: Date | null) =>
        (await fixture.processor.refundsSince({ since, until, cursor: null })).refunds.length
      expect(await toldOf(late, null)).toBe(0)
      expect(await toldOf(early, new Date(early.getTime() + 10_000))).toBe(0)
      expect(await toldOf(early, early)).toBe(0)
      expect(await toldOf(early, late)).toBeGreaterThan(0)
    })

    test('reads a dispute with what the processor states, if the processor reports disputes', async () => {
      const { request, processorOrderId } = await paid()
      await fixture.dispute(request.orderKey)
      const { disputes, paidCents } = await read(processorOrderId)
      const { traits } = fixture.processor
      const stated = { amountCents: 10_000, currency: 'EUR' }
      expect(disputes).toEqual(
        traits.disputeNotices === 'file'
          ? []
          : [
              {
                disputeId: expect.any(String),
                disputedAt: expect.any(Date),
                ...(traits.disputeAmounts ? stated : { amountCents: null, currency: null }),
                feeCents: expect.any(Number),
                feeCurrency: 'EUR',
                reason: 'fraudulent',
              },
            ],
      )
      expect(paidCents).toBe(10_000)
    })

    test('refuses to refund a disputed payment', async () => {
      const { request, processorOrderId } = await paid()
      await fixture.dispute(request.orderKey)
      expect(await refusal(fixture.processor.refund(refundOf(processorOrderId)))).toBe('refused')
    })

    test('refuses a payment that the processor does not know', async () => {
      expect(await refusal(read('unknown'))).toBe('refused')
      expect(await refusal(fixture.processor.refund(refundOf('unknown')))).toBe('refused')
      expect(await refusal(fixture.processor.listRefunds('unknown'))).toBe('refused')
    })

    describeCardNotices(() => fixture)
    describeCardFaults(() => fixture)
  })
}
