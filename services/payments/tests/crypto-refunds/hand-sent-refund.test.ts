import { cryptoOrders, type CryptoOrder } from '@causeway/contracts'
import { createDestinations, SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { hasLitecoinNode, onLitecoinNode } from '@causeway/rails/tests/litecoin-node'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sumSentByHand } from '../../src/crypto-refunds/signed-refund-store.ts'
import { startEthereum, startLitecoin } from '../chains/fixtures.ts'
import { DEPTH, type SettlementFixture } from '../chains/settlement-suite.ts'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'

const STAFF = { kind: 'operator' as const, actor: 'staff' }
/** Addresses of nobody: no order ever has this number. */
const TO = {
  ETH: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  LTC: createDestinations(SANDBOX_ACCOUNTS, { LTC: 'regtest' }).derive('LTC', 1_000_000).address,
}

const describeHandSent = (name: string, to: string, start: () => Promise<SettlementFixture>): void => {
  describe(`a refund that staff sent ${name}`, () => {
    let chain: SettlementFixture
    let payments: RunningPayments
    const partner = newPartner()
    let order: CryptoOrder
    let deposit: string
    beforeAll(async () => {
      chain = await start()
      payments = await startForTests(chain.config)
      ;[order, deposit] = await newCancelled()
    })
    afterAll(async () => {
      await payments.stop()
      await chain.stop()
    })

    /** A cancelled order that was paid, and the transaction that paid it. */
    const newCancelled = async (): Promise<[CryptoOrder, string]> => {
      const { customerId } = payments.newCustomer(partner)
      const { network, asset } = chain
      const cancelled = await payments.newOrder(partner, customerId, { network, asset })
      const { id: orderId, amount } = cancelled
      await payments.cancel(partner, orderId)
      const txId = await chain.pay(payments, cancelled, amount)
      await chain.mine(payments, cancelled, DEPTH)
      await payments.eventually(async () => {
        const file = await payments.ask(cryptoOrders.getByStaff, STAFF, { params: { orderId } })
        expect(file).toMatchObject({ value: { order: { received: amount } } })
      })
      return [cancelled, txId]
    }
    const record = (tx_id?: string, { id: orderId } = order) =>
      payments.ask(cryptoOrders.refund, STAFF, {
        params: { orderId },
        body: { to_address: to, ...(tx_id !== undefined && { tx_id }) },
      })
    const send = (amount: string) => chain.pay(payments, { ...order, address: to }, amount)
    const mine = (blocks: number) => chain.mine(payments, order, blocks)
    const refusedFor = (expected: string) => ({
      ok: false,
      code: 'invalid_request',
      details: [{ field: 'tx_id', expected }],
    })

    test('is recorded once the chain confirms that its transaction pays the address the amount, and not before', async () => {
      const { asset, amount, network } = order
      expect(await record()).toMatchObject(refusedFor('the transaction with which the refund was sent'))
      expect(await record(deposit)).toMatchObject(refusedFor(`a transaction that pays ${to} in ${asset}`))
      const tooLittle = await send('0.0001')
      await mine(DEPTH)
      expect(await record(tooLittle)).toMatchObject({
        ...refusedFor(`a transaction that pays ${to} at least ${amount} ${asset}`),
        details: [{ paid: '0.0001' }],
      })
      const sent = await send(amount)
      expect(await record(sent)).toMatchObject(refusedFor(`a transaction in a block of ${network}`))
      await mine(1)
      expect(await record(sent)).toMatchObject(
        refusedFor(`a transaction with at least ${DEPTH} confirmations`),
      )
      expect(await payments.read(partner, order.id)).toMatchObject({
        value: { order: { status: 'cancelled' } },
      })
      await mine(DEPTH)
      const recorded = {
        ok: true,
        value: { order: { status: 'refunded' }, to_address: to, tx_id: sent, tx_block: expect.any(Number) },
      }
      expect(await record(sent)).toMatchObject(recorded)
      expect(await record(sent)).toMatchObject(recorded)
      const read = await payments.ask(cryptoOrders.getRefund, STAFF, { params: { orderId: order.id } })
      expect(read).toMatchObject(recorded)
      const [row] = await payments.sql<{ amount: string }>(
        `SELECT coalesce(sent_amount::numeric, amount)::text AS amount FROM order_refunds WHERE order_id = '${order.id}'`,
      )
      const query = { network, asset, txId: sent, toAddress: to.toLowerCase() }
      expect(await sumSentByHand(payments.db, query)).toEqual({ amount: row?.amount })
      const names = (await payments.eventsOf(order.id)).map((event) => event.name)
      expect(names.filter((each) => each === 'payment.refunded')).toHaveLength(1)
    })

    test('is recorded for one of two orders at a time if its transaction pays enough for one', async () => {
      const [[one], [other]] = [await newCancelled(), await newCancelled()]
      const sent = await send(one.amount)
      await mine(DEPTH)
      const answers = await Promise.all([record(sent, one), record(sent, other)])
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
      expect(answers.find(({ ok }) => !ok)).toMatchObject({
        code: 'invalid_request',
        details: [{ field: 'tx_id', paid: one.amount, recorded: one.amount }],
      })
      const rest = answers[0].ok ? other : one
      const both = await send(rest.amount)
      await mine(DEPTH)
      expect(await record(both, rest)).toMatchObject({ ok: true })
    })
  })
}

;(hasAnvil() ? describe : describe.skip)('anvil (skipped where its package has no binary)', () => {
  describeHandSent('in Ethereum’s coin', TO.ETH, () => startEthereum('ETH'))
  describeHandSent('in a token of Ethereum', TO.ETH, () => startEthereum('USDT'))
})
;(hasLitecoinNode ? describe : describe.skip)(onLitecoinNode, () => {
  describeHandSent('on Litecoin', TO.LTC, startLitecoin)
})
