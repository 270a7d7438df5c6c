import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { hasLitecoinNode, onLitecoinNode } from '@causeway/rails/tests/litecoin-node'
import { openSources } from '../../src/blocks/open-sources.ts'
import { newPartner, orderBody, startForTests, type RunningPayments } from '../running-payments.ts'
import { startLitecoin } from './fixtures.ts'
import { DEPTH, type SettlementFixture } from './settlement-suite.ts'

const describeOnNode = hasLitecoinNode ? describe : describe.skip

describeOnNode(`a network taken out of NETWORKS_LIVE, ${onLitecoinNode}`, () => {
  let chain: SettlementFixture
  let payments: RunningPayments
  const partner = newPartner()
  let customerId: string
  const newOrder = () => payments.newOrder(partner, customerId, { network: 'LTC', asset: 'LTC' })
  const statusOf = async (orderId: string) => {
    const read = await payments.read(partner, orderId)
    return read.ok ? read.value.order.status : read.code
  }

  beforeAll(async () => {
    chain = await startLitecoin()
    payments = await startForTests({ ...chain.config, networksLive: ['BTC', 'LTC'] })
    ;({ customerId } = payments.newCustomer(partner))
  })
  afterAll(async () => {
    await payments.stop()
    await chain.stop()
  })

  test('accepts no new order on a former network, and an open one is paid when its buyer pays', async () => {
    const order = await newOrder()
    await chain.mine(payments, order, 1)
    await payments.restart({ networksLive: ['BTC'] })
    expect(await payments.create(partner, customerId, orderBody({ network: 'LTC', asset: 'LTC' }))).toEqual(
      expect.objectContaining({ ok: false, code: 'invalid_request' }),
    )
    await chain.pay(payments, order, order.amount)
    await chain.mine(payments, order, DEPTH)
    await payments.eventually(async () => expect(await statusOf(order.id)).toBe('paid'))
  })

  test('names a former network without nodes at the start, with the number of its open orders', async () => {
    await payments.restart({ networksLive: ['BTC', 'LTC'] })
    const { nodes, accounts } = payments.config
    const start = async (chainUrl: string | undefined, withNodes: boolean) => {
      const log = { error: jest.fn() }
      const sources = await openSources(
        { db: payments.db, log, timeoutFactor: 1 } as unknown as Parameters<typeof openSources>[0],
        {
          accounts,
          networksLive: ['BTC'],
          nodes: withNodes ? nodes : { ...nodes, LTC_NODE_URLS: undefined },
          chainUrl,
        },
      )
      await Promise.all(sources.map((source) => source.close()))
      return log.error.mock.calls
    }
    expect(await start(undefined, false)).toEqual([])
    await newOrder()
    await newOrder()
    expect(await start(undefined, false)).toEqual([
      [
        {
          event: 'chain.network_not_read',
          network: 'LTC',
          openOrders: 2,
          settings: ['LTC_NODE_URLS', 'LTC_ESPLORA_URLS', 'LTC_ACCOUNT'],
        },
        expect.stringMatching(/^A network with open orders is not in NETWORKS_LIVE any more/),
      ],
    ])
    expect(await start(undefined, true)).toEqual([])
    expect(await start('http://127.0.0.1:1', false)).toEqual([])
  })
})
