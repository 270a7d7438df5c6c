import type { Asset } from '@causeway/contracts'
import type { Hex } from 'viem'
import { parseGwei } from 'viem/utils'
import { gasAccountOf } from '../../ethereum/gas-account.ts'
import { checkEthereumEndpoints, verifyEthereum } from '../../ethereum/settings-check.ts'
import { toTokens } from '../../ethereum/transfers.ts'
import { createJsonRpcEndpoints } from '../../json-rpc/endpoints.ts'
import { ASSET_DECIMALS, isRecipient, networkOf } from '../../networks.ts'
import { fromUnits, toUnits } from '../../units.ts'
import type { AccountKeys } from '../account-keys.ts'
import { broadcastToAll } from '../broadcast.ts'
import { busyIn, confirmationsIn } from '../progress.ts'
import { TransferError, type SignedTransfer, type TransferRequest, type Transfers } from '../transfers.ts'
import type { EthereumContext, Order } from './context.ts'
import { hasDelegate, signDelegated } from './delegated.ts'
import { readGasFees } from './fees.ts'
import { createNode } from './node.ts'
import { costOfEther, signEther, signPlainToken } from './plain.ts'
import { readProgress } from './progress.ts'
import { signReplacement } from './replacing.ts'
import { sendInOrder } from './send.ts'

export type EthereumTransfersOptions = Readonly<{
  /** ETH_RPC_URLS, ETH_CHAIN_ID, ETH_TOKENS. */
  urls: readonly string[]
  chainId: number
  tokens: Readonly<Partial<Record<Asset, string>>>
  keys: AccountKeys
  /** ETH_GAS_PRICE_MAX, gwei. */
  gasPriceMax: number
  /** Absolute bound of one exchange with an endpoint. */
  timeoutMs: number
}>

const MAX_ANSWER_BYTES = 16 * 1_048_576
/** Addresses that one transaction empties: about 2 million gas of the 16.7 that one may have (EIP-7825). */
const MOST_SWEPT = 50
/** Gas that an estimate takes for a token: 65,000 without a delegate and 21,000 to fund it; with one, less. */
const TOKEN_GAS = 100_000n

const openContext = ({ urls, timeoutMs, keys, chainId, tokens }: EthereumTransfersOptions) => {
  const endpoints = checkEthereumEndpoints(
    createJsonRpcEndpoints(urls, { timeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES }),
    chainId,
  )
  const derive = networkOf('ETH').account.open(keys.account, 'main')
  const context: EthereumContext = {
    chainId,
    keys,
    node: createNode(endpoints),
    gasAccount: gasAccountOf(keys.account) as Hex,
    addressOf: (index) => derive(index).watchAddress as Hex,
    contractOf: (asset) => {
      if (asset === 'ETH') return null
      const contract = tokens[asset]
      if (contract === undefined) throw new TransferError('unsupported', `ETH_TOKENS has no ${asset}`)
      return contract as Hex
    },
  }
  return { endpoints, context }
}

/** Signs for one of the assets of the chain, by the way that it has. */
const createSigning = (context: EthereumContext, gasPriceMax: number) => {
  const { node, addressOf, contractOf } = context
  const open = async (
    asset: Asset,
    toAddress: string,
    outstanding: readonly SignedTransfer[],
    signal?: AbortSignal,
  ): Promise<Order> => {
    const fees = await readGasFees(node, parseGwei(String(gasPriceMax)), signal)
    const { number } = await node.head(signal)
    return { asset, toAddress: toAddress as Hex, outstanding, fees, signedAt: Number(number) }
  }
  const balancesOf = async (
    addresses: readonly Hex[],
    asset: Asset,
    signal?: AbortSignal,
  ): Promise<readonly bigint[]> => {
    const contract = contractOf(asset)
    if (contract !== null) return node.tokenBalancesOf(contract, addresses, signal)
    return Promise.all(addresses.map((address) => node.balanceOf(address, signal)))
  }
  const signTokens = async (
    order: Order,
    contract: Hex,
    holdings: readonly Readonly<{ index: number; address: Hex; units: bigint }>[],
    signal?: AbortSignal,
  ): Promise<SignedTransfer | null> => {
    const [first] = holdings
    if (!first) return null
    if (await hasDelegate(context, signal))
      return signDelegated(context, order, { holdings, contract }, signal)
    return signPlainToken(context, order, { ...first, contract }, signal)
  }
  /** ETH from the first address where it is worth more than its fee. */
  const sweepEther = async (
    order: Order,
    holdings: readonly Readonly<{ index: number; units: bigint }>[],
    signal?: AbortSignal,
  ) => {
    const found = holdings.find(({ units }) => units > 2n * 21_000n * order.fees.maxFeePerGas)
    return found ? signEther(context, order, { index: found.index, amount: found.units }, signal) : null
  }
  const holdingsOf = async (indices: readonly number[], asset: Asset, signal?: AbortSignal) => {
    const addresses = indices.map(addressOf)
    const balances = await balancesOf(addresses, asset, signal)
    return indices.flatMap((index, at) => {
      const [address, units] = [addresses[at], balances[at] ?? 0n]
      return address && units > 0n ? [{ index, address, units }] : []
    })
  }
  return { open, balancesOf, signTokens, sweepEther, holdingsOf }
}

/** @throws TransferError for what is no recipient */
const checkRecipient = (toAddress: string): void => {
  if (!isRecipient('ETH', toAddress))
    throw new TransferError(
      'wrong_address',
      `${toAddress} is not an Ethereum address, or its checksum is wrong`,
    )
}

/** Checks a transfer, and estimates it. */
const createRequests = (context: EthereumContext, { open, balancesOf }: ReturnType<typeof createSigning>) => {
  const { addressOf, contractOf } = context
  /** @throws TransferError for what cannot leave the address */
  const checkRequest = async (
    { fromIndex, asset, toAddress, amount }: TransferRequest,
    signal?: AbortSignal,
  ): Promise<Readonly<{ contract: Hex | null; units: bigint }>> => {
    const contract = contractOf(asset)
    checkRecipient(toAddress)
    const units = toUnits(amount, ASSET_DECIMALS[asset])
    if (units === 0n) throw new TransferError('below_dust', 'The amount must be above 0')
    const address = addressOf(fromIndex)
    const [held = 0n] = await balancesOf([address], asset, signal)
    if (held >= units) return { contract, units }
    throw new TransferError(
      'insufficient_funds',
      `${address} holds ${fromUnits(held, ASSET_DECIMALS[asset])} ${asset}; it cannot send ${amount}`,
    )
  }
  const estimate: Transfers['estimate'] = async (request, signal) => {
    const { contract, units } = await checkRequest(request, signal)
    const { fees } = await open(request.asset, request.toAddress, [], signal)
    const asDecimal = (wei: bigint) => fromUnits(wei, ASSET_DECIMALS.ETH)
    if (contract !== null)
      return {
        amount: request.amount,
        networkFee: asDecimal(TOKEN_GAS * fees.maxFeePerGas),
        feeAsset: 'ETH',
      }
    const { arrives, fee } = await costOfEther(
      context,
      { toAddress: request.toAddress as Hex, fees },
      { index: request.fromIndex, amount: units },
      signal,
    )
    return { amount: asDecimal(arrives), networkFee: asDecimal(fee), feeAsset: 'ETH' }
  }
  return { checkRequest, estimate }
}

/** Transfers of ETH and of tokens (docs/chains/ethereum.md#sending). @throws Error that names the setting */
export const createEthereumTransfers = (options: EthereumTransfersOptions): Transfers => {
  const { endpoints, context } = openContext(options)
  const { node, addressOf, contractOf, gasAccount } = context
  const signing = createSigning(context, options.gasPriceMax)
  const { checkRequest, estimate } = createRequests(context, signing)
  const progressOf: Transfers['progressOf'] = (transfer, signal) => readProgress(node, transfer, signal)

  return {
    network: 'ETH',
    canSend: true,
    gasAddress: gasAccount,
    addressOf,
    verify: (signal) => verifyEthereum(endpoints, toTokens(options.tokens), signal),
    sign: async (request, outstanding, signal) => {
      const { fromIndex: index, asset, toAddress } = request
      if (busyIn(outstanding).has(index))
        throw new TransferError('address_busy', `A transfer from address ${index} is not confirmed yet`)
      const { contract, units } = await checkRequest(request, signal)
      const order = await signing.open(asset, toAddress, outstanding, signal)
      if (contract === null) return signEther(context, order, { index, amount: units }, signal)
      const holding = { index, address: addressOf(index), units }
      const signed = await signing.signTokens(order, contract, [holding], signal)
      if (!signed) throw new RangeError('nothing to send')
      return signed
    },
    estimate,
    signSweep: async ({ fromIndices, asset, toAddress }, outstanding, signal) => {
      const contract = contractOf(asset)
      checkRecipient(toAddress)
      const busy = busyIn(outstanding)
      const free = fromIndices.filter((index) => !busy.has(index))
      const holdings = await signing.holdingsOf(free, asset, signal)
      if (holdings.length === 0) return null
      const order = await signing.open(asset, toAddress, outstanding, signal)
      return contract === null
        ? signing.sweepEther(order, holdings, signal)
        : signing.signTokens(order, contract, holdings.slice(0, MOST_SWEPT), signal)
    },
    height: async (signal) => Number((await node.head(signal)).number),
    signReplacement: (previous, feeMax, signal) =>
      signReplacement(context, previous, { gasPriceMax: options.gasPriceMax, feeMax }, signal),
    broadcast: ({ rawTransactions }, signal) =>
      broadcastToAll(endpoints, (endpoint) =>
        sendInOrder(endpoint, rawTransactions as readonly Hex[], signal),
      ),
    progressOf,
    confirmationsOf: async (transfer, signal) => confirmationsIn(await progressOf(transfer, signal)),
    balanceOf: async (index, asset, signal) => {
      const [held = 0n] = await signing.balancesOf([addressOf(index)], asset, signal)
      return fromUnits(held, ASSET_DECIMALS[asset])
    },
    close: () => endpoints.close(),
  }
}
