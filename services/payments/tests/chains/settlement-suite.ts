import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { cryptoOrders, type Asset, type CryptoOrder, type Network } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import type { PaymentsConfig } from '../../src/config.ts'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'

/** Blocks from which on a deposit counts, in every run of the suite. */
export const DEPTH = 3

const STAFF = { kind: 'operator' as const, actor: 'staff' }

/** A chain that orders are paid on. `payments` is there once the service runs. */
export type SettlementFixture = Readonly<{
  network: Network
  asset: Asset
  /** True if a dropped transaction is never mined; the sandbox mines it with the order's next. */
  dropsForGood: boolean
  /** Configuration with which the service reads this chain. */
  config: Partial<PaymentsConfig>
  /** Sends an amount to an order; it waits to be mined. @returns the transaction's id */
  pay: (payments: RunningPayments, order: CryptoOrder, amount: string) => Promise<string>
  mine: (payments: RunningPayments, order: CryptoOrder, blocks: number) => Promise<void>
  /** Others take the place of the newest blocks; what they held is gone, or mined again in the first of them. */
  reorganise: (
    payments: RunningPayments,
    order: CryptoOrder,
    depth: number,
    transactions: 'dropped' | 'mined again',
  ) => Promise<void>
  /** Pays this much of what the order's address holds to somebody else, with the wallet's keys; mined at its return. */
  sendBack: (payments: RunningPayments, order: CryptoOrder, txId: string, amount: string) => Promise<void>
  stop: () => Promise<void>
}>

/** How orders are settled, whatever chain they are paid on: the service itself over a real node, or the sandbox's chain. */
export const describeSettlement = (name: string, start: () => Promise<SettlementFixture>): void => {
  describe(`orders paid on ${name}`, () => {
    let chain: SettlementFixture
    let payments: RunningPayments
    const partner = newPartner()
    let customerId: string

    beforeAll(async () => {
      chain = await start()
      payments = await startForTests(chain.config)
      ;({ customerId } = payments.newCustomer(partner))
    })
    afterAll(async () => {
      await payments.stop()
      await chain.stop()
    })

    const newOrder = () =>
      payments.newOrder(partner, customerId, { network: chain.network, asset: chain.asset })
    const fileOf = async ({ id }: CryptoOrder) => {
      const read = await payments.ask(cryptoOrders.getByStaff, STAFF, { params: { orderId: id } })
      if (!read.ok) throw new Error(`Not read: ${read.code}`)
      return read.value.order
    }
    const becomes = (order: CryptoOrder, status: string) => payments.becomes(partner, order.id, status)
    const pay = (order: CryptoOrder, amount = order.amount) => chain.pay(payments, order, amount)
    const mine = (order: CryptoOrder, blocks: number) => chain.mine(payments, order, blocks)
    const told = async (order: CryptoOrder) =>
      (await payments.eventsOf(order.id)).slice(1).map((event) => ({
        name: event.name,
        txId: event.partners[0]?.data['tx_id'],
        merchant: event.merchant?.event,
      }))

    test('pays an order from its depth on, not before', async () => {
      const order = await newOrder()
      const txId = await pay(order)
      await mine(order, DEPTH - 1)
      const other = await newOrder()
      await pay(other)
      await mine(other, 1)
      await mine(order, 1)
      await becomes(order, 'paid')
      expect(await payments.read(partner, other.id)).toMatchObject({
        value: { order: { status: 'pending' } },
      })
      expect(await told(order)).toEqual([{ name: 'payment.confirmed', txId, merchant: 'paid' }])
    })

    test('pays an order in parts', async () => {
      const order = await newOrder()
      const first = await pay(order, '0.0001')
      await mine(order, DEPTH)
      await becomes(order, 'underpaid')
      const second = await pay(order)
      await mine(order, DEPTH)
      await becomes(order, 'paid')
      expect(await told(order)).toEqual([
        { name: 'payment.underpaid', txId: first, merchant: 'underpaid' },
        { name: 'payment.confirmed', txId: second, merchant: 'paid' },
      ])
    })

    test("counts what came to each order's own address when one payer pays several", async () => {
      const [paid, short] = [await newOrder(), await newOrder()]
      await pay(paid)
      await pay(short, '0.0001')
      await mine(paid, DEPTH)
      await mine(short, DEPTH)
      await becomes(paid, 'paid')
      await becomes(short, 'underpaid')
      expect(await fileOf(paid)).toMatchObject({ received: paid.amount })
      expect(await fileOf(short)).toMatchObject({ received: '0.0001' })
    })

    test('reverts and reports a payment that a reorganisation removes, and another one pays', async () => {
      const order = await newOrder()
      const first = await pay(order)
      await mine(order, DEPTH)
      await becomes(order, 'paid')
      await chain.reorganise(payments, order, DEPTH + 1, 'dropped')
      await becomes(order, 'pending')
      const second = await pay(order)
      await mine(order, DEPTH)
      await becomes(order, 'paid')
      expect(await told(order)).toEqual([
        { name: 'payment.confirmed', txId: first, merchant: 'paid' },
        { name: 'payment.reverted', txId: first, merchant: 'reverted' },
        { name: 'payment.confirmed', txId: chain.dropsForGood ? second : first, merchant: 'paid' },
      ])
    })

    test('does not count what the wallet sends from the address and what returns there', async () => {
      const order = await newOrder()
      const txId = await pay(order)
      await mine(order, DEPTH)
      await becomes(order, 'paid')
      const decimals = ASSET_DECIMALS[chain.asset]
      const half = fromUnits(toUnits(order.amount, decimals) / 2n, decimals)
      await chain.sendBack(payments, order, txId, half)
      const other = await newOrder()
      await pay(other)
      await mine(other, DEPTH)
      await becomes(other, 'paid')
      expect(await fileOf(order)).toMatchObject({
        status: 'paid',
        received: order.amount,
        deposits: [{ tx_id: txId, amount: order.amount }],
      })
      expect(await told(order)).toEqual([{ name: 'payment.confirmed', txId, merchant: 'paid' }])
    })

    test('pays again with a payment that is mined again in another block', async () => {
      const order = await newOrder()
      const txId = await pay(order)
      await mine(order, DEPTH)
      await becomes(order, 'paid')
      await chain.reorganise(payments, order, DEPTH, 'mined again')
      await mine(order, DEPTH)
      await payments.eventually(async () => {
        expect((await told(order)).map((event) => event.name)).toEqual([
          'payment.confirmed',
          'payment.reverted',
          'payment.confirmed',
        ])
      })
      expect(new Set((await told(order)).map((event) => event.txId))).toEqual(new Set([txId]))
      await becomes(order, 'paid')
    })
  })
}
