import { createDestinations } from '../../src/chain/destinations.ts'
import { createBitcoinBlockSource } from '../../src/chains.ts'
import { SANDBOX_ACCOUNTS, toUnits } from '../../src/networks.ts'
import type { BlockSourceFixture } from '../block-source-fixture.ts'
import { startJsonRpcServer } from '../json-rpc-server.ts'
import { openBehindProxy } from '../open-behind-proxy.ts'
import { startEsploraServer } from './esplora-server.ts'
import { startLitecoinNode } from './litecoin-node.ts'
import { createMinedChain, idOf, transactionOf } from './mined-chain.ts'
import { elsewhere, pay } from './spending.ts'

const { derive } = createDestinations(SANDBOX_ACCOUNTS, { BTC: 'regtest', LTC: 'regtest' })
let orders = 0
const newAddress = (network: 'BTC' | 'LTC') => () => derive(network, (orders += 1)).watchAddress

/** Litecoin's real node. */
export const startLitecoinFixture = async (): Promise<BlockSourceFixture> => {
  const node = await startLitecoinNode()
  const { close, ...opened } = await openBehindProxy(node.url, (url, timeoutMs) =>
    createBitcoinBlockSource({ network: 'LTC', chain: 'regtest', nodeUrls: [url], timeoutMs }),
  )
  return {
    ...opened,
    assets: ['LTC'],
    newAddress: newAddress('LTC'),
    pay: async (payments) => {
      const ids: string[] = []
      for (const { address, amount } of payments) ids.push((await pay(node, [[address, amount]])).txId)
      return ids
    },
    mine: async (blocks) => {
      await node.mine(blocks)
    },
    reorganise: async (depth, transactions) => {
      const height = await node.rpc<number>('getblockcount')
      await node.rpc('invalidateblock', await node.rpc('getblockhash', height - depth + 1))
      const miner = await elsewhere(node)
      const first = transactions === 'mined again' ? 1 : 0
      if (first > 0) await node.rpc('generatetoaddress', first, miner)
      for (let block = first; block < depth; block++) await node.rpc('generateblock', miner, [])
    },
    seesPending: true,
    stop: async () => {
      await close()
      await node.stop()
    },
  }
}

/** Bitcoin's blocks, mined in this process and served by Core's or Esplora's interface. */
export const startBitcoinFixture = async (form: 'Core' | 'Esplora'): Promise<BlockSourceFixture> => {
  const chain = createMinedChain()
  const blocks: Buffer[][] = [[]]
  const mine = (transactions: Buffer[]) => {
    chain.mine(...transactions)
    blocks.push(transactions)
  }
  mine([])
  const server = await (form === 'Core' ? startJsonRpcServer(chain) : startEsploraServer(chain))
  const { close, ...opened } = await openBehindProxy(server.url, (url, timeoutMs) => {
    const urls = form === 'Core' ? { nodeUrls: [url] } : { nodeUrls: [], esploraUrls: [url] }
    return createBitcoinBlockSource({ network: 'BTC', chain: 'regtest', timeoutMs, ...urls })
  })
  return {
    ...opened,
    assets: ['BTC'],
    newAddress: newAddress('BTC'),
    pay: async (payments) => {
      const transactions = payments.map(({ address, amount }) =>
        transactionOf([[address, toUnits(amount, 8)]]),
      )
      chain.waiting.push(...transactions)
      return transactions.map(idOf)
    },
    mine: async (count) => {
      for (let block = 0; block < count; block++) mine(chain.waiting.splice(0))
    },
    reorganise: async (depth, transactions) => {
      chain.dropFrom(blocks.length - depth)
      const dropped = blocks.splice(-depth).flat()
      for (let block = 0; block < depth; block++)
        mine(block === 0 && transactions === 'mined again' ? dropped : [])
    },
    seesPending: true,
    stop: async () => {
      await close()
      await server.stop()
    },
  }
}
