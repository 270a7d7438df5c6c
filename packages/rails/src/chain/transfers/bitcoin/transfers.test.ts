import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  hasLitecoinNode,
  type LitecoinNode,
  onLitecoinNode,
  startLitecoinNode,
} from '../../../../tests/bitcoin/litecoin-node.ts'
import { elsewhere, pay } from '../../../../tests/bitcoin/spending.ts'
import { startLitecoinTransfers } from '../../../../tests/bitcoin/transfers-fixture.ts'
import { describeReplacements } from '../../../../tests/replacement-suite.ts'
import { describeTransfers } from '../../../../tests/transfers-suite.ts'

const describeOnNode = hasLitecoinNode ? describe : describe.skip

describeOnNode(`transfers of Litecoin on ${onLitecoinNode}`, () => {
  let node: LitecoinNode

  beforeAll(async () => {
    node = await startLitecoinNode()
  })
  afterAll(() => node.stop())

  describeTransfers('Core', () => startLitecoinTransfers(node, 'Core'))
  describeTransfers('Esplora', () => startLitecoinTransfers(node, 'Esplora'))
  describeReplacements('Core', () => startLitecoinTransfers(node, 'Core'))
  describeReplacements('Esplora', () => startLitecoinTransfers(node, 'Esplora'))

  describe.each(['Core', 'Esplora'] as const)('%s', (form) => {
    let fixture: Awaited<ReturnType<typeof startLitecoinTransfers>>
    beforeAll(async () => {
      fixture = await startLitecoinTransfers(node, form)
    })
    afterAll(() => fixture.stop())

    test('looks known deposits up instead of searching, and skips a spent one', async () => {
      const { transfers } = fixture
      const address = transfers.addressOf(1_001)
      const { txId } = await pay(node, [[address, '0.4']], { fee: '0.00005' })
      const coins = [{ txId, outputIndex: 0 }]
      const request = { fromIndex: 1_001, asset: 'LTC', toAddress: await elsewhere(node), coins } as const
      const waiting = transfers.sign({ ...request, amount: '0.1' }, [])
      await expect(waiting).rejects.toMatchObject({ refusal: 'insufficient_funds' })
      await node.mine(1)
      const signed = await transfers.sign({ ...request, amount: '0.4' }, [])
      expect(signed.spends).toEqual([`${txId}:0`])
      await transfers.broadcast(signed)
      await node.mine(1)
      const again = transfers.sign({ ...request, amount: '0.1' }, [])
      await expect(again).rejects.toMatchObject({ refusal: 'insufficient_funds' })
    })

    test('follows a transfer whose recipient spent it immediately', async () => {
      const { transfers } = fixture
      const { txId } = await pay(node, [[transfers.addressOf(1_002), '0.4']], { fee: '0.00005' })
      await node.mine(1)
      const toAddress = await elsewhere(node)
      const coins = [{ txId, outputIndex: 0 }]
      const signed = await transfers.sign(
        { fromIndex: 1_002, asset: 'LTC', toAddress, amount: '0.4', coins },
        [],
      )
      await transfers.broadcast(signed)
      expect(await transfers.confirmationsOf(signed)).toBe(0)
      const input = { txid: signed.txId, vout: 0, amount: Number(signed.amount) }
      await pay(node, [[await elsewhere(node), '0.1']], { input, fee: '0.00005' })
      await node.mine(2)
      expect(await transfers.confirmationsOf(signed)).toBe(2)
    })

    test('refuses a fee above the limit of the settings', async () => {
      const { txId } = await pay(node, [[fixture.transfers.addressOf(1_003), '0.4']], { fee: '0.00005' })
      await node.mine(1)
      const thrifty = fixture.open(60_000, { min: 0, max: 0 })
      const request = {
        fromIndex: 1_003,
        asset: 'LTC',
        toAddress: await elsewhere(node),
        amount: '0.4',
      } as const
      const refused = thrifty.sign({ ...request, coins: [{ txId, outputIndex: 0 }] }, [])
      await expect(refused).rejects.toMatchObject({
        refusal: 'fee_above_limit',
        message: expect.stringContaining('LTC_FEE_RATE_MAX'),
      })
      await thrifty.close()
    })
  })
})
