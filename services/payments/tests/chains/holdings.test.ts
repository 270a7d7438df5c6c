import { createLogger, implement, reply, serve } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { addressTransfers, chainHoldings, type CryptoOrder } from '@causeway/contracts'
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { hasLitecoinNode, onLitecoinNode } from '@causeway/rails/tests/litecoin-node'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'
import { startEthereum, startLitecoin, startSandboxChain } from './fixtures.ts'
import { DEPTH, type SettlementFixture } from './settlement-suite.ts'

const LEDGER = { kind: 'service' as const, service: 'ledger' }

/** A fake of the signer: a test sets what has left addresses by their numbers. */
const serveSigner = ({ bus, clock }: RunningPayments) => {
  const left = new Map<number, { left: string; is_moving: boolean }>()
  serve(
    bus,
    implement(addressTransfers, {
      list: ({ body: { key_indexes: asked } }) =>
        Promise.resolve(
          reply({
            addresses: asked.flatMap((key_index) => {
              const known = left.get(key_index)
              return known === undefined ? [] : [{ key_index, ...known }]
            }),
          }),
        ),
      listOfAddress: () => Promise.resolve(reply({ transfers: [] })),
    }),
    {
      keys: testReceiverKeys(),
      service: 'signer',
      clock,
      log: createLogger({ service: 'test', level: 'silent' }),
      checkReplies: true,
    },
  )
  return left
}

type HoldingsFixture = SettlementFixture &
  Readonly<{
    /** Amount that a transfer of everything has left at an address: fees are lower than their limit. Left out: nothing. */
    restAt?: (address: string) => Promise<bigint>
  }>

const describeHoldings = (name: string, start: () => Promise<HoldingsFixture>): void => {
  describe(`balances of addresses on ${name}`, () => {
    let chain: HoldingsFixture
    let payments: RunningPayments
    let left: ReturnType<typeof serveSigner>
    const partner = newPartner()
    let customerId: string
    beforeAll(async () => {
      chain = await start()
      payments = await startForTests({ ...chain.config, cryptoRefunds: 'signer' })
      left = serveSigner(payments)
      ;({ customerId } = payments.newCustomer(partner))
    })
    afterAll(async () => {
      await payments.stop()
      await chain.stop()
    })

    const newOrder = () =>
      payments.newOrder(partner, customerId, { network: chain.network, asset: chain.asset })
    const newPaid = async (): Promise<Readonly<{ order: CryptoOrder; txId: string }>> => {
      const order = await newOrder()
      const txId = await chain.pay(payments, order, order.amount)
      await chain.mine(payments, order, DEPTH)
      await payments.becomes(partner, order.id, 'paid')
      return { order, txId }
    }
    const compare = async () => {
      const body = { network: chain.network, asset: chain.asset, after: null }
      const answer = await payments.ask(chainHoldings.compare, LEDGER, { body })
      if (!answer.ok) throw new Error(answer.code)
      return answer.value
    }
    const numberOf = async ({ id }: CryptoOrder): Promise<number> => {
      const [row] = await payments.sql<{ number: string }>(
        `SELECT derivation_index AS number FROM crypto_orders WHERE id = '${id}'`,
      )
      return Number(row?.number)
    }
    const whole = { missing: '0', short_orders: [], next: null }

    test('finds nothing while deposits arrive, and what leaves an address by a stolen key from its depth on', async () => {
      await newPaid()
      const { order, txId } = await newPaid()
      const waiting = await newOrder()
      await chain.pay(payments, waiting, waiting.amount)
      expect(await compare()).toEqual({ compared: 2, ...whole })
      await chain.sendBack(payments, order, txId, order.amount)
      await chain.mine(payments, order, DEPTH)
      const decimals = ASSET_DECIMALS[chain.asset]
      const rest = (await chain.restAt?.(order.address)) ?? 0n
      const missing = fromUnits(toUnits(order.amount, decimals) - rest, decimals)
      expect(await compare()).toEqual({ ...whole, compared: 2, missing, short_orders: [order.id] })

      const number = await numberOf(order)
      left.set(number, { left: '0', is_moving: true })
      expect(await compare()).toMatchObject(whole)
      left.set(number, { left: order.amount, is_moving: false })
      expect(await compare()).toMatchObject(whole)
    })

    test('leaves out an address from which staff have sent money by hand', async () => {
      const order = await newOrder()
      await payments.cancel(partner, order.id)
      const txId = await chain.pay(payments, order, order.amount)
      await chain.mine(payments, order, DEPTH)
      await payments.eventually(async () =>
        expect(
          await payments.sql(`SELECT FROM unattributed_money WHERE order_id = '${order.id}'`),
        ).toHaveLength(1),
      )
      const before = await compare()
      await chain.sendBack(payments, order, txId, order.amount)
      await chain.mine(payments, order, DEPTH)
      expect(await compare()).toMatchObject({ short_orders: [order.id] })
      await payments.sql(`UPDATE unattributed_money SET status = 'ended', ended_by = 'handled', ended_at = seen.at
          FROM (SELECT created_at AS at FROM crypto_orders WHERE id = '${order.id}') AS seen
          WHERE order_id = '${order.id}'`)
      expect(await compare()).toEqual({ ...before, compared: before.compared - 1 })
    })
  })
}

describeHoldings("the sandbox's chain", startSandboxChain)
;(hasAnvil() ? describe : describe.skip)('anvil (skipped where its package has no binary)', () => {
  describeHoldings('Ethereum', async () => {
    const chain = await startEthereum('ETH')
    return {
      ...chain,
      restAt: async (address) => BigInt(await chain.anvil.ask<string>('eth_getBalance', address, 'latest')),
    }
  })
})
;(hasLitecoinNode ? describe : describe.skip)(onLitecoinNode, () => {
  describeHoldings('Litecoin', startLitecoin)
})
