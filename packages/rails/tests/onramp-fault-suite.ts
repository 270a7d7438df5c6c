import { describe, expect, test } from '@jest/globals'
import { effectOf } from '../src/cards.ts'
import { type OnrampFault, onrampRequest, type OnrampFixture } from './onramp-fixture.ts'

/** Effects of a provider's faults, and how the adapter reports them. */
export const describeOnrampFaults = (current: () => OnrampFixture): void => {
  describe('faults', () => {
    /** Returns an adapter with a timeout long enough for a busy machine, and a short one if no response will come. */
    const callerFor = (mode: OnrampFault) =>
      mode.endsWith('timeout') ? current().impatient : current().provider
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
      ['after_effect_timeout', 'unknown'],
    ] as const)('let a creation be retried that %s has ended as %s', async (mode, outcome) => {
      const request = onrampRequest(current().noticeUrl)
      await current().fault(mode, 'effect')
      expect(await outcomeOf(callerFor(mode).createOrder(request))).toBe(outcome)
      await current().fault('ok', 'all')
      const made = await current().provider.createOrder(request)
      const read = await current().provider.readOrder(made.providerOrderId)
      expect(read).toMatchObject({ onrampOrderId: request.onrampOrderId, status: 'pendingPayment' })
    })

    test('let a caller that waits for a slow provider receive the order', async () => {
      const request = onrampRequest(current().noticeUrl)
      await current().fault('slow', 'effect')
      const made = await current().provider.createOrder(request)
      expect(made.onrampOrderId).toBe(request.onrampOrderId)
    })

    test.each([
      ['unreachable', 'unreachable', true],
      ['timeout', 'timeout', true],
      ['reset', 'reset', true],
      ['error', 'unavailable', true],
      ['refuse', 'refused', false],
    ] as const)('make reads with %s fail as %s, retryable %s', async (mode, failure, retryable) => {
      const { providerOrderId } = await current().provider.createOrder(onrampRequest(current().noticeUrl))
      await current().fault(mode, 'all')
      await expect(callerFor(mode).readOrder(providerOrderId)).rejects.toMatchObject({ failure, retryable })
      await current().fault('ok', 'all')
      expect((await current().provider.readOrder(providerOrderId)).status).toBe('pendingPayment')
    })
  })
}
