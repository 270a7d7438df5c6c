import { loadSettings } from '@causeway/chassis'
import type { Asset } from '@causeway/contracts'
import { NODE_SETTINGS } from '@causeway/rails/chains'
import { CONFIRMATION_DEPTHS } from '@causeway/rails/networks'
import { CHAIN_ID, startChain } from '@causeway/rails/tests/ethereum-fixture'
import { startLitecoinNode, type LitecoinNode } from '@causeway/rails/tests/litecoin-node'
import { elsewhere, pay } from '@causeway/rails/tests/spending'
import { openWallet } from './wallet.ts'
import { DEPTH, type SettlementFixture } from './settlement-suite.ts'

/** An address of Bitcoin whose key nobody of the tests has (BIP-173). */
const SOMEBODY = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const NO_NODES = loadSettings(NODE_SETTINGS, {})
const confirmations = { ...CONFIRMATION_DEPTHS, BTC: DEPTH, LTC: DEPTH, ETH: DEPTH }

/** The sandbox knows no blocks but those of an order's own deposits. */
export const startSandboxChain = (): Promise<SettlementFixture> => {
  const confirmed = new Map<string, number>()
  return Promise.resolve({
    network: 'BTC',
    asset: 'BTC',
    dropsForGood: false,
    config: { confirmations },
    pay: async (payments, { id }, amount) => {
      confirmed.set(id, 0)
      const { tx_id: txId } = await payments.deposit(id, amount, 0)
      return txId ?? ''
    },
    mine: async (payments, { id }, blocks) => {
      const next = (confirmed.get(id) ?? 0) + blocks
      confirmed.set(id, next)
      await payments.confirm(id, next)
    },
    reorganise: async (payments, { id }) => {
      confirmed.set(id, 0)
      await payments.confirm(id, 0)
    },
    sendBack: async ({ config, db }, order, txId, amount) => {
      const wallet = openWallet('BTC', NO_NODES, config.chainUrl)
      await wallet.send({ db, order, txId, amount, toAddress: SOMEBODY }, () => Promise.resolve())
      await wallet.close()
    },
    stop: () => Promise.resolve(),
  })
}

/** A node of our own, in one of its assets. */
export const startEthereum = async (asset: Asset) => {
  const chain = await startChain()
  const configWith = (urls: readonly string[]) => ({
    confirmations,
    nodes: { ...NO_NODES, ETH_RPC_URLS: [...urls], ETH_CHAIN_ID: CHAIN_ID, ETH_TOKENS: chain.tokens },
  })
  const fixture: SettlementFixture = {
    network: 'ETH',
    asset,
    dropsForGood: true,
    config: configWith([chain.anvil.url]),
    pay: async (_, { address }, amount) => (await chain.pay([{ asset, address, amount }]))[0] ?? '',
    mine: (_, __, blocks) => chain.mine(blocks),
    reorganise: async (_, __, depth, transactions) => {
      await chain.reorganise(depth, transactions)
      await chain.mine(1)
    },
    sendBack: async ({ config, db }, order, txId, amount) => {
      const wallet = openWallet('ETH', config.nodes)
      await chain.anvil.ask('anvil_setBalance', wallet.gasAddress, `0x${(10n ** 18n).toString(16)}`)
      await wallet.send({ db, order, txId, amount, toAddress: chain.newAddress() }, () => chain.mine(1))
      await wallet.close()
    },
    stop: () => chain.anvil.stop(),
  }
  return {
    ...fixture,
    anvil: chain.anvil,
    configWith,
    payByContract: chain.payByContract,
  }
}

type Spent = Awaited<ReturnType<typeof pay>>

/** Spends the coins of what waits to be mined otherwise, so that it never is. */
const replaceWaiting = async (node: LitecoinNode, spent: ReadonlyMap<string, Spent>) => {
  for (const txId of await node.rpc<string[]>('getrawmempool')) {
    const input = spent.get(txId)?.input
    if (input) await pay(node, [[await elsewhere(node), '0.01']], { input, fee: '0.01' })
  }
}

/** A node of our own in regtest. */
export const startLitecoin = async (): Promise<SettlementFixture> => {
  const node = await startLitecoinNode()
  const spent = new Map<string, Spent>()
  return {
    network: 'LTC',
    asset: 'LTC',
    dropsForGood: true,
    config: { confirmations, nodes: { ...NO_NODES, LTC_NODE_URLS: [node.url], LTC_CHAIN: 'regtest' } },
    pay: async (_, { address }, amount) => {
      const sent = await pay(node, [[address, amount]])
      spent.set(sent.txId, sent)
      return sent.txId
    },
    mine: async (_, __, blocks) => {
      await node.mine(blocks)
    },
    reorganise: async (_, __, depth, transactions) => {
      const height = await node.rpc<number>('getblockcount')
      await node.rpc('invalidateblock', await node.rpc<string>('getblockhash', height - depth + 1))
      if (transactions === 'dropped') await replaceWaiting(node, spent)
      // To another address: the same blocks again would be those that are invalid now.
      await node.rpc('generatetoaddress', depth + 1, await elsewhere(node))
    },
    sendBack: async ({ config, db }, order, txId, amount) => {
      const wallet = openWallet('LTC', config.nodes)
      await wallet.send({ db, order, txId, amount, toAddress: await elsewhere(node) }, () => node.mine(1))
      await wallet.close()
    },
    stop: () => node.stop(),
  }
}
