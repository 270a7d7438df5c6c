import { createDestinations, SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { hasAnvil } from '@causeway/rails/tests/anvil'
import { startChain } from '@causeway/rails/tests/ethereum-fixture'
import { hasLitecoinNode, onLitecoinNode, startLitecoinNode } from '@causeway/rails/tests/litecoin-node'
import { pay } from '@causeway/rails/tests/spending'
import { describe, expect, test } from '@jest/globals'
import { settingsOf } from '../demo/chain-payment.ts'
import { listBalances } from '../../services/payments/src/chain-commands/balances.ts'

const { derive } = createDestinations(SANDBOX_ACCOUNTS, { LTC: 'regtest' })
const addressOf = (network: 'ETH' | 'LTC', order: number) => derive(network, order).address

const list = async (env: Record<string, string>, range: Partial<Parameters<typeof listBalances>[1]> = {}) => {
  const lines: string[] = []
  const whole = { networks: [], from: 1, to: 20, withEmpty: false, ...range }
  await listBalances(
    { SANDBOX_RATES: 'true', ...env },
    whole,
    (line) => lines.push(line),
    () => {},
  )
  return lines
}
const HEADER = 'network,order,address,asset,balance,block'

test.each([
  [{ from: 0 }, /^--from and --to are the first and the last order number/],
  [{ from: 5, to: 4 }, /^--from and --to are the first and the last order number/],
  [{ to: Number.NaN }, /^--from and --to are the first and the last order number/],
  [{ from: 1, to: 10_001 }, /^At most 10000 orders in one call; call again with --from 10001$/],
  [{ networks: ['LTC'] }, /^LTC accepts no orders; NETWORKS_LIVE has ETH$/],
])('refuses the range %j, and names the valid ranges', async (range, message) => {
  const env = { NETWORKS_LIVE: 'ETH', ETH_ACCOUNT: SANDBOX_ACCOUNTS.ETH, ETH_RPC_URLS: 'http://127.0.0.1:1' }
  await expect(list(env, range)).rejects.toThrow(message)
})

;(hasAnvil() ? test : test.skip)(
  'lists coin and tokens of each address on Ethereum at one block (skipped without a binary of anvil)',
  async () => {
    const chain = await startChain()
    await chain.pay([
      { asset: 'ETH', address: addressOf('ETH', 2), amount: '0.25' },
      { asset: 'USDT', address: addressOf('ETH', 2), amount: '12.5' },
      { asset: 'USDC', address: addressOf('ETH', 7), amount: '3' },
      { asset: 'ETH', address: addressOf('ETH', 21), amount: '1' },
    ])
    await chain.mine(1)
    const block = Number(await chain.anvil.ask<string>('eth_blockNumber'))
    const env = { NETWORKS_LIVE: 'ETH', ETH_ACCOUNT: SANDBOX_ACCOUNTS.ETH, ...settingsOf(chain) }
    expect(await list(env)).toEqual([
      HEADER,
      `ETH,2,${addressOf('ETH', 2)},ETH,0.25,${block}`,
      `ETH,2,${addressOf('ETH', 2)},USDT,12.5,${block}`,
      `ETH,7,${addressOf('ETH', 7)},USDC,3,${block}`,
    ])
    expect(await list(env, { from: 21, to: 21, withEmpty: true })).toEqual([
      HEADER,
      `ETH,21,${addressOf('ETH', 21)},ETH,1,${block}`,
      `ETH,21,${addressOf('ETH', 21)},USDT,0,${block}`,
      `ETH,21,${addressOf('ETH', 21)},USDC,0,${block}`,
    ])
    await chain.anvil.stop()
  },
)

describe(`balances on Litecoin: ${onLitecoinNode}`, () => {
  ;(hasLitecoinNode ? test : test.skip)(
    'lists the unspent outputs of each address, without pending ones',
    async () => {
      const node = await startLitecoinNode()
      await pay(node, [[addressOf('LTC', 3), '0.5']])
      await pay(node, [[addressOf('LTC', 3), '0.25']])
      await pay(node, [[addressOf('LTC', 9), '1']])
      await node.mine(1)
      await pay(node, [[addressOf('LTC', 4), '2']])
      const block = await node.rpc<number>('getblockcount')
      const env = {
        NETWORKS_LIVE: 'LTC',
        LTC_ACCOUNT: SANDBOX_ACCOUNTS.LTC,
        LTC_CHAIN: 'regtest',
        LTC_NODE_URLS: node.url,
      }
      expect(await list(env)).toEqual([
        HEADER,
        `LTC,3,${addressOf('LTC', 3)},LTC,0.75,${block}`,
        `LTC,9,${addressOf('LTC', 9)},LTC,1,${block}`,
      ])
      await node.stop()
    },
  )
})
