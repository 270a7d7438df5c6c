import type { Asset, CryptoRefund } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { startEthereumTransfers } from '@causeway/rails/tests/ethereum-transfers'
import { startLitecoinNode } from '@causeway/rails/tests/litecoin-node'
import { elsewhere, pay } from '@causeway/rails/tests/spending'
import { startMethodGate, type MethodGate } from './method-gate.ts'

/** An asset of a chain, as a payer and the receiver of a refund use it. */
export type RefundAsset = Readonly<{
  asset: Asset
  pay: (address: string, amount: string) => Promise<void>
  /** Amount that an address received in mined transactions, a decimal in the asset. */
  receivedBy: (address: string) => Promise<string>
  /** Checks whether a refund returns an amount less its fee; for ETH the fee that was signed, which is higher. */
  isAllOf: (amount: string, refund: CryptoRefund) => boolean
}>

/** A real node that orders are paid on, behind a gate that can stop what is sent to it. */
export type RefundChain = Readonly<{
  settings: Readonly<Record<string, string>>
  gate: MethodGate
  assets: Readonly<Partial<Record<Asset, RefundAsset>>>
  newAddress: () => Promise<string>
  mine: (blocks: number) => Promise<void>
  stop: () => Promise<void>
}>

const LTC_DECIMALS = ASSET_DECIMALS.LTC
const isExact = (amount: string, refund: CryptoRefund): boolean =>
  toUnits(refund.amount, LTC_DECIMALS) + toUnits(refund.network_fee ?? '0', LTC_DECIMALS) ===
  toUnits(amount, LTC_DECIMALS)

export const startLitecoin = async (): Promise<RefundChain> => {
  const node = await startLitecoinNode()
  const gate = await startMethodGate(node.url, 'sendrawtransaction')
  const asset: RefundAsset = {
    asset: 'LTC',
    pay: async (address, amount) => {
      await pay(node, [[address, amount]])
    },
    receivedBy: async (address) => {
      const received = await node.wallet<number>('getreceivedbyaddress', address, 1)
      return fromUnits(toUnits(received.toFixed(LTC_DECIMALS), LTC_DECIMALS), LTC_DECIMALS)
    },
    isAllOf: isExact,
  }
  return {
    settings: { LTC_NODE_URLS: gate.url, LTC_CHAIN: 'regtest' },
    gate,
    assets: { LTC: asset },
    newAddress: () => elsewhere(node),
    mine: async (blocks) => {
      await node.mine(blocks)
    },
    stop: async () => {
      await gate.close()
      await node.stop()
    },
  }
}

/** More than the gas of one plain transfer costs on the node, in wei. */
const MOST_FEE = 10n ** 16n
const isMost = (amount: string, refund: CryptoRefund): boolean => {
  const kept = toUnits(amount, ASSET_DECIMALS.ETH) - toUnits(refund.amount, ASSET_DECIMALS.ETH)
  return kept >= toUnits(refund.network_fee ?? '0', ASSET_DECIMALS.ETH) && kept < MOST_FEE
}

/** Ether, and a token whose gas the signer's own account pays. */
export const startEthereum = async (): Promise<RefundChain> => {
  const token = await startEthereumTransfers('USDT', true)
  const { chain } = token
  const gate = await startMethodGate(chain.anvil.url, 'eth_sendRawTransaction')
  const ether: RefundAsset = {
    asset: 'ETH',
    pay: async (address, amount) => {
      await chain.send({ to: address, value: toUnits(amount, ASSET_DECIMALS.ETH) })
    },
    receivedBy: async (address) =>
      fromUnits(
        BigInt(await chain.anvil.ask<string>('eth_getBalance', address, 'latest')),
        ASSET_DECIMALS.ETH,
      ),
    isAllOf: isMost,
  }
  const usdt: RefundAsset = {
    asset: 'USDT',
    pay: token.pay,
    receivedBy: token.holdings,
    isAllOf: (amount, refund) => refund.amount === amount,
  }
  return {
    settings: {
      ETH_RPC_URLS: gate.url,
      ETH_CHAIN_ID: '31337',
      ETH_TOKENS: `USDT:${chain.token}`,
    },
    gate,
    assets: { ETH: ether, USDT: usdt },
    newAddress: token.newRecipient,
    mine: token.mine,
    stop: async () => {
      await gate.close()
      await token.stop()
    },
  }
}
