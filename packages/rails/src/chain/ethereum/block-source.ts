import type { Asset } from '@causeway/contracts'
import { z } from 'zod'
import { RailError } from '../../rail-error.ts'
import { agreed, createAgreement, quorumOf, reportedByAny } from '../agreement.ts'
import type { BlockSource, BlockHeader } from '../block-source.ts'
import type { EndpointOptions, JsonRpcEndpoint } from '../json-rpc/endpoint.ts'
import { createJsonRpcEndpoints } from '../json-rpc/endpoints.ts'
import { gasAccountOf } from './gas-account.ts'
import { checkEthereumEndpoints, verifyEthereum } from './settings-check.ts'
import { toTokens, transfersOf } from './transfers.ts'
import { readHeader, readTransactions } from './verified-block.ts'
import { Data, Quantity } from './answers.ts'

/** Selector of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231'

const Receipt = z.object({ blockNumber: Quantity, status: Quantity }).nullable()
const receiptCall = (txId: string) =>
  ({ method: 'eth_getTransactionReceipt', params: [txId], shape: Receipt }) as const

/** The call for an address's balance (EIP-1898: by the block's hash), of the coin or of a token's contract. */
const balanceCall = (address: string, { hash: blockHash }: BlockHeader, token: string | null) => {
  if (token === null) return { method: 'eth_getBalance', params: [address, { blockHash }], shape: Quantity }
  const data = `${BALANCE_OF}${address.slice(2).toLowerCase().padStart(64, '0')}`
  return { method: 'eth_call', params: [{ to: token, data }, { blockHash }], shape: Data }
}

/**
 * Balances at the end of the block in the smallest unit, in the order of the addresses.
 * @param token contract of a token; null for the coin
 */
const readBalances = async (
  endpoint: JsonRpcEndpoint,
  addresses: readonly string[],
  block: BlockHeader,
  token: string | null,
  signal?: AbortSignal,
): Promise<readonly bigint[]> => {
  const calls = addresses.map((address) => balanceCall(address, block, token))
  const balances = await endpoint.batch<string[]>(calls, signal)
  return balances.map(BigInt)
}

/** A block of 60 million gas is below 10 MB (EIP-7934), which is twice as much in hex. */
const MAX_ANSWER_BYTES = 64 * 1_048_576

export type EthereumOptions = Partial<EndpointOptions> &
  Readonly<{
    /** JSON-RPC endpoints of one chain: ETH_RPC_URLS. */
    urls: readonly string[]
    /** ETH_CHAIN_ID. */
    chainId: number
    /** Contracts of the tokens that orders are paid in: ETH_TOKENS. */
    tokens: Readonly<Partial<Record<Asset, string>>>
    /** ETH_ACCOUNT: what its gas account sends is no payment. */
    account?: string | undefined
    /** Absolute bound of one HTTP exchange. */
    timeoutMs: number
  }>

/**
 * Ethereum, or another chain with its block format, read from JSON-RPC endpoints (docs/chains/ethereum.md). Which
 * block is canonical is what they agree on (agreement.ts); a block's content is proven by its hash, with any endpoint.
 * @throws Error that names ETH_RPC_URLS when it contains an invalid address
 */
export const createEthereumBlockSource = (options: EthereumOptions): BlockSource => {
  const tokens = toTokens(options.tokens)
  const endpoints = checkEthereumEndpoints(openEndpoints(options), options.chainId)
  const gasAccount = options.account === undefined ? null : gasAccountOf(options.account)
  const agreement = createAgreement({
    all: endpoints.all,
    tip: (endpoint, signal) => readHeader(endpoint, 'latest', signal),
    at: readHeader,
  })

  return {
    network: 'ETH',
    verify: async (signal) => {
      try {
        await verifyEthereum(endpoints, tokens, signal)
      } catch (error) {
        if (!(error instanceof RailError)) throw error
        throw new Error('ETH_RPC_URLS: too few endpoints respond', { cause: error })
      }
    },
    head: agreement.head,
    next: (number, signal) => agreement.at(number + 1, signal),
    transfers: async (block, signal) =>
      transfersOf(
        await endpoints.first((endpoint) => readTransactions(endpoint, block, gasAccount, signal)),
        tokens,
      ),
    blockOf: (txId, signal) =>
      reportedByAny(endpoints, async (endpoint) => {
        const receipt = await endpoint.call(receiptCall(txId), signal)
        return receipt === null || BigInt(receipt.status) === 0n ? null : Number(BigInt(receipt.blockNumber))
      }),
    pending: () => Promise.resolve([]),
    balances: async (addresses, block, signal, asset = 'ETH') => {
      const token = asset === 'ETH' ? null : options.tokens[asset]
      if (token === undefined) throw new RangeError(`${asset} has no contract in ETH_TOKENS`)
      const witnesses = await endpoints.all((endpoint) =>
        readBalances(endpoint, addresses, block, token, signal),
      )
      const answers = quorumOf(witnesses).map(({ value }) => value)
      const balances = agreed(answers, (answer) => answer.join())
      if (balances === null)
        throw new RailError(
          'unavailable',
          `the endpoints return different balances for block ${block.number}`,
        )
      return balances
    },
    close: () => endpoints.close(),
  }
}

const openEndpoints = (options: EthereumOptions) => {
  try {
    return createJsonRpcEndpoints(options.urls, { maxAnswerBytes: MAX_ANSWER_BYTES, ...options })
  } catch (error) {
    throw new Error(`ETH_RPC_URLS: ${error instanceof Error ? error.message : ''}`, { cause: error })
  }
}
