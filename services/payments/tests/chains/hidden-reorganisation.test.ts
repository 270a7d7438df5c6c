import { FINALITY_DEPTHS } from '@causeway/rails/networks'
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { startHidingEndpoint } from '@causeway/rails/tests/hiding-endpoint'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'
import { startEthereum } from './fixtures.ts'
import { DEPTH } from './settlement-suite.ts'

;(hasAnvil() ? describe : describe.skip)(
  'an endpoint that hides a reorganisation (skipped without a binary of anvil)',
  () => {
    let chain: Awaited<ReturnType<typeof startEthereum>>
    let endpoint: Awaited<ReturnType<typeof startHidingEndpoint>>
    let payments: RunningPayments
    const partner = newPartner()
    beforeAll(async () => {
      chain = await startEthereum('USDT')
      endpoint = await startHidingEndpoint(chain.anvil)
      payments = await startForTests(chain.configWith([endpoint.url]))
    })
    afterAll(async () => {
      await payments.stop()
      await endpoint.stop()
      await chain.stop()
    })

    test('does not finalise a deposit that is not on any chain: it is reverted, and another one pays', async () => {
      const { customerId } = payments.newCustomer(partner)
      const order = await payments.newOrder(partner, customerId, { network: 'ETH', asset: 'USDT' })
      const becomes = (status: string) => payments.becomes(partner, order.id, status)
      await chain.pay(payments, order, order.amount)
      await chain.mine(payments, order, 1)
      const paidIn = Number(await chain.anvil.ask<string>('eth_blockNumber'))
      await chain.mine(payments, order, DEPTH - 1)
      await becomes('paid')

      await endpoint.stopAtHead()
      await chain.mine(payments, order, FINALITY_DEPTHS.ETH - DEPTH)
      await endpoint.keepAbove(paidIn)
      await chain.reorganise(payments, order, FINALITY_DEPTHS.ETH, 'dropped')
      endpoint.goOn()
      await becomes('pending')

      endpoint.reveal()
      await chain.pay(payments, order, order.amount)
      await chain.mine(payments, order, DEPTH)
      await becomes('paid')
      const names = (await payments.eventsOf(order.id)).map(({ name }) => name)
      expect(names.slice(1)).toEqual(['payment.confirmed', 'payment.reverted', 'payment.confirmed'])
    })
  },
)
