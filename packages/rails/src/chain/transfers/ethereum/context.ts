import type { Asset } from '@causeway/contracts'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { ASSET_DECIMALS } from '../../networks.ts'
import { fromUnits } from '../../units.ts'
import type { AccountKeys, KeyPath } from '../account-keys.ts'
import { type SignedTransfer, TransferError, type TransferSource } from '../transfers.ts'
import type { GasFees } from './fees.ts'
import type { EthereumNode } from './node.ts'

/** Context that all kinds of transfers on Ethereum share. */
export type EthereumContext = Readonly<{
  chainId: number
  keys: AccountKeys
  node: EthereumNode
  gasAccount: Hex
  addressOf: (index: number) => Hex
  /** The contract of a token; null for ETH. @throws TransferError for what is not on the chain */
  contractOf: (asset: Asset) => Hex | null
}>

/** Parameters of one signature. */
export type Order = Readonly<{
  asset: Asset
  toAddress: Hex
  outstanding: readonly SignedTransfer[]
  fees: GasFees
  signedAt: number
}>

export const GAS_KEY: KeyPath = { chain: 'change', index: 0 }
export const keyOf = (index: number): KeyPath => ({ chain: 'receiving', index })

/** A nonce as `spends` has it. */
export const nonceUse = (address: string, nonce: number): string => `${address}/${nonce}`

export const tokenCall = (to: Hex, units: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] })

/** The first nonce of the gas account that neither a block nor an outstanding transfer has used. */
export const nextGasNonce = async (
  { node, gasAccount }: EthereumContext,
  { outstanding }: Order,
  signal?: AbortSignal,
): Promise<number> => {
  const used = new Set(outstanding.flatMap(({ spends }) => spends))
  let nonce = await node.nonceOf(gasAccount, 'latest', signal)
  while (used.has(nonceUse(gasAccount, nonce))) nonce += 1
  return nonce
}

/** @throws TransferError when the gas account cannot pay this in addition to its pending transactions */
export const checkGasAccount = async (
  { node, gasAccount }: EthereumContext,
  { outstanding }: Pick<Order, 'outstanding'>,
  wei: bigint,
  signal?: AbortSignal,
): Promise<void> => {
  const balance = await node.balanceOf(gasAccount, signal)
  const promised = outstanding.filter(({ spends }) => spends.some((use) => use.startsWith(`${gasAccount}/`)))
  if (balance >= wei && (promised.length === 0 || balance >= wei * BigInt(promised.length + 1))) return
  throw new TransferError(
    'gas_account_empty',
    `The gas account ${gasAccount} holds ${fromUnits(balance, ASSET_DECIMALS.ETH)} ETH, but a transfer needs ${fromUnits(wei, ASSET_DECIMALS.ETH)} ETH: send ETH to it`,
  )
}

/** A signed transfer from its parts; amounts in the smallest unit. */
export const toSigned = (
  { asset, toAddress, signedAt }: Order,
  parts: Readonly<{
    sources: readonly Readonly<{ index: number; address: Hex; units: bigint }>[]
    arrives: bigint
    fee: bigint
    transactions: readonly Readonly<{ txId: Hex; rawTransaction: Hex }>[]
    spends: readonly string[]
  }>,
): SignedTransfer => {
  const sources = parts.sources.map(({ index, address, units }): TransferSource => ({
    index,
    address,
    amount: fromUnits(units, ASSET_DECIMALS[asset]),
  }))
  return {
    ...{ network: 'ETH', asset, sources, toAddress, feeAsset: 'ETH', signedAt, spends: parts.spends },
    amount: fromUnits(parts.arrives, ASSET_DECIMALS[asset]),
    networkFee: fromUnits(parts.fee, ASSET_DECIMALS.ETH),
    txId: parts.transactions.at(-1)?.txId ?? '',
    rawTransactions: parts.transactions.map(({ rawTransaction }) => rawTransaction),
  }
}
