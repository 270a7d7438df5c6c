import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { queryMany } from '@causeway/chassis'
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { z } from 'zod'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'
import { startEthereum } from './fixtures.ts'
import { DEPTH } from './settlement-suite.ts'

const listDeposits = queryMany({
  name: 'test.list-deposits',
  parameters: { orderId: 'text' },
  text: `
    SELECT tx_id, block_hash, amount, counted_at IS NOT NULL AS is_counted FROM crypto_deposits
    WHERE order_id = :orderId AND block_hash IS NOT NULL ORDER BY block_number`,
  row: z.object({
    txId: z.string(),
    blockHash: z.string(),
    amount: z.string(),
    isCounted: z.boolean(),
  }),
})

;(hasAnvil() ? describe : describe.skip)(
  'ETH that a contract sends (skipped without a binary of anvil)',
  () => {
    let chain: Awaited<ReturnType<typeof startEthereum>>
    let payments: RunningPayments
    const partner = newPartner()
    beforeAll(async () => {
      chain = await startEthereum('ETH')
      payments = await startForTests(chain.config)
    })
    afterAll(async () => {
      await payments.stop()
      await chain.stop()
    })

    test("finds a contract's payment in the balance, counts it once from its depth on, and reverts it with its block", async () => {
      const { customerId } = payments.newCustomer(partner)
      const order = await payments.newOrder(partner, customerId, { network: 'ETH', asset: 'ETH' })
      const deposits = () => listDeposits(payments.db, { orderId: order.id })
      await chain.payByContract(order.address, order.amount)
      await chain.mine(payments, order, 1)
      await payments.eventually(async () => {
        expect(await deposits()).toEqual([
          {
            txId: expect.any(String),
            blockHash: expect.any(String),
            amount: order.amount,
            isCounted: false,
          },
        ])
      })
      const [seen] = await deposits()
      expect(seen?.txId).toBe(seen?.blockHash)
      await chain.mine(payments, order, DEPTH)
      await payments.becomes(partner, order.id, 'paid')
      expect(await deposits()).toHaveLength(1)

      await chain.reorganise(payments, order, DEPTH + 1, 'dropped')
      await payments.becomes(partner, order.id, 'pending')
      const txId = await chain.pay(payments, order, order.amount)
      await chain.mine(payments, order, DEPTH)
      await payments.becomes(partner, order.id, 'paid')
      expect(await deposits()).toMatchObject([{ txId, amount: order.amount, isCounted: true }])
    })
  },
)
