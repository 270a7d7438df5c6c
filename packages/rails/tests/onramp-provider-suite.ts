import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { ONRAMP_STATUSES } from '@causeway/contracts'
import { effectOf } from '../src/cards.ts'
import type { OnrampRequest } from '../src/onramps.ts'
import { describeOnrampFaults } from './onramp-fault-suite.ts'
import { describeOnrampNotices } from './onramp-notice-suite.ts'
import { onrampRequest, type OnrampFixture } from './onramp-fixture.ts'

/**
 * Guarantees of every onramp provider.
 * @param start a fresh provider and its adapter
 */
export const describeOnrampProvider = (name: string, start: () => Promise<OnrampFixture>): void => {
  describe(`onramp provider: ${name}`, () => {
    let fixture: OnrampFixture

    beforeEach(async () => {
      fixture = await start()
    })
    afterEach(async () => {
      await fixture.stop()
    })

    const opened = async (change: Partial<OnrampRequest> = {}) => {
      const request = onrampRequest(fixture.noticeUrl, change)
      return { request, order: await fixture.provider.createOrder(request) }
    }

    test('creates an order that waits for its payment, with our id and a checkout', async () => {
      const { request, order } = await opened()
      expect(order).toMatchObject({
        providerOrderId: expect.stringMatching(/^[\w-]+$/),
        onrampOrderId: request.onrampOrderId,
        status: 'pendingPayment',
        cryptoAmount: '0.0005',
        transactionHash: null,
      })
      expect(new URL(order.checkoutUrl).protocol).toMatch(/^https?:$/)
    })

    test('reads back the order that was created', async () => {
      const { request, order } = await opened()
      expect(await fixture.provider.readOrder(order.providerOrderId)).toMatchObject({
        providerOrderId: order.providerOrderId,
        onrampOrderId: request.onrampOrderId,
        status: 'pendingPayment',
        cryptoAmount: '0.0005',
        changedAt: expect.any(Date),
        orderStatusUrl: expect.stringMatching(/^https?:/),
      })
    })

    test('creates one order for a purchase that is requested concurrently and repeatedly', async () => {
      const request = onrampRequest(fixture.noticeUrl)
      const made = await Promise.all(Array.from({ length: 8 }, () => fixture.provider.createOrder(request)))
      made.push(await fixture.provider.createOrder(request))
      expect(new Set(made.map(({ providerOrderId }) => providerOrderId)).size).toBe(1)
      expect(new Set(made.map(({ checkoutUrl }) => checkoutUrl)).size).toBe(1)
    })

    test('creates two orders for two purchases', async () => {
      const [one, other] = [await opened(), await opened()]
      expect(one.order.providerOrderId).not.toBe(other.order.providerOrderId)
      expect(one.order.checkoutUrl).not.toBe(other.order.checkoutUrl)
    })

    test('creates an order without a return address', async () => {
      const { order } = await opened({ returnUrl: null })
      expect(order.status).toBe('pendingPayment')
    })

    test.each(ONRAMP_STATUSES)('reads the status of an order that becomes %s', async (status) => {
      const { request, order } = await opened()
      await fixture.say(request.onrampOrderId, status)
      const read = await fixture.provider.readOrder(order.providerOrderId)
      // The notice spells success one way, the order the other.
      expect(read.status).toBe(status === 'complete' ? 'completed' : status)
      expect(read.onrampOrderId).toBe(request.onrampOrderId)
    })

    test('reports the transaction as soon as it exists', async () => {
      const { request, order } = await opened()
      await fixture.say(request.onrampOrderId, 'paymentReceived')
      expect((await fixture.provider.readOrder(order.providerOrderId)).transactionHash).toBeNull()
      await fixture.say(request.onrampOrderId, 'cryptoTransferred', '0xabc')
      expect((await fixture.provider.readOrder(order.providerOrderId)).transactionHash).toBe('0xabc')
    })

    test('never moves the time of a change of an order backwards', async () => {
      const { request, order } = await opened()
      let last = 0
      for (const status of ['waitingPayment', 'paymentReceived', 'cryptoTransferred', 'complete'] as const) {
        await fixture.say(request.onrampOrderId, status)
        const { changedAt } = await fixture.provider.readOrder(order.providerOrderId)
        expect(changedAt?.getTime()).toBeGreaterThanOrEqual(last)
        last = changedAt?.getTime() ?? 0
      }
    })

    test('refuses an order that the provider does not know', async () => {
      const asked = fixture.provider.readOrder('unknown').catch((error: unknown) => effectOf(error))
      expect(await asked).toBe('refused')
    })

    describeOnrampNotices(() => fixture)
    describeOnrampFaults(() => fixture)
  })
}
