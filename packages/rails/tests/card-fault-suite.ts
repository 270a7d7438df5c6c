import { describe, expect, test } from '@jest/globals'
import { effectOf, type RefundRequest } from '../src/cards.ts'
import { type CardFault, type CardFixture, checkoutRequest } from './card-fixture.ts'

/** Effects of a processor's faults, and how the adapter reports them. */
export const describeCardFaults = (current: () => CardFixture): void => {
  describe('faults', () => {
    const paid = async () => {
      const request = checkoutRequest(current().noticeUrl)
      const { processorOrderId } = await current().processor.createCheckout(request)
      await current().pay(request.orderKey, 'completed')
      const refund: RefundRequest = {
        processorOrderId,
        refundId: `rfd_${request.orderKey}`,
        amountCents: 10_000,
        description: null,
        orderLines: null,
      }
      return { processorOrderId, refund }
    }
    /** Returns an adapter with a timeout long enough for a busy machine, and a short one if no response will come. */
    const callerFor = (mode: CardFault) =>
      mode.endsWith('timeout') ? current().impatient : current().processor
    const outcomeOf = (asked: Promise<unknown>) =>
      asked.then(
        () => 'done',
        (error: unknown) => effectOf(error),
      )

    test.each([
      ['unreachable', 'not_sent'],
      ['timeout', 'unknown'],
      ['reset', 'unknown'],
      ['error', 'unknown'],
      ['refuse', 'refused'],
    ] as const)('leave nothing done: with %s a refund and a checkout end as %s', async (mode, outcome) => {
      const { processorOrderId, refund } = await paid()
      const checkout = checkoutRequest(current().noticeUrl)
      await current().fault(mode, 'effect')
      expect(await outcomeOf(callerFor(mode).refund(refund))).toBe(outcome)
      expect(await outcomeOf(callerFor(mode).createCheckout(checkout))).toBe(outcome)
      await current().fault('ok', 'all')
      expect(await current().processor.listRefunds(processorOrderId)).toEqual([])
    })

    test('leave a refund unknown whose answer was lost after the effect, and a retry returns that refund', async () => {
      const { processorOrderId, refund } = await paid()
      await current().fault('after_effect_timeout', 'effect')
      expect(await outcomeOf(current().impatient.refund(refund))).toBe('unknown')
      await current().fault('ok', 'all')
      const [made, ...others] = await current().processor.listRefunds(processorOrderId)
      expect(others).toEqual([])
      expect(made?.refundId).toBe(refund.refundId)
      expect(await current().processor.refund(refund)).toEqual(made)
      expect(await current().processor.listRefunds(processorOrderId)).toHaveLength(1)
    })

    test('open a checkout once whose answer was lost', async () => {
      const request = checkoutRequest(current().noticeUrl)
      await current().fault('after_effect_timeout', 'effect')
      expect(await outcomeOf(current().impatient.createCheckout(request))).toBe('unknown')
      await current().fault('ok', 'all')
      const first = await current().processor.createCheckout(request)
      expect(await current().processor.createCheckout(request)).toEqual(first)
    })

    test.each([
      ['unreachable', 'unreachable', true],
      ['timeout', 'timeout', true],
      ['reset', 'reset', true],
      ['error', 'unavailable', true],
      ['refuse', 'refused', false],
    ] as const)('make reads with %s fail as %s, retryable %s', async (mode, failure, retryable) => {
      const { processorOrderId } = await paid()
      await current().fault(mode, 'all')
      const since = new Date(0)
      for (const read of [
        () => callerFor(mode).readPayment(processorOrderId),
        () => callerFor(mode).listRefunds(processorOrderId),
        () => callerFor(mode).refundsSince({ since, until: null, cursor: null }),
      ])
        await expect(read()).rejects.toMatchObject({ failure, retryable })
      await current().fault('ok', 'all')
      expect((await current().processor.readPayment(processorOrderId)).status).toBe('completed')
    })
  })
}
