import type { Asset } from '@causeway/contracts'
import { RailError } from '../../rail-error.ts'
import { agreed, createAgreement, quorumOf } from '../agreement.ts'
import type { BlockSource } from '../block-source.ts'
import type { EndpointOptions, JsonRpcEndpoint } from '../json-rpc/endpoint.ts'
import { createJsonRpcEndpoints } from '../json-rpc/endpoints.ts'
import { readBalances } from './balances.ts'
import { gasAccountOf } from './gas-account.ts'
import { checkChainId, checkTokens, SettingError } from './settings-check.ts'
import { transfersOf, type Tokens } from './transfers.ts'
import { readHeader, readTransactions } from './verified-block.ts'

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

const toTokens = (tokens: EthereumOptions['tokens']): Tokens =>
  new Map(Object.entries(tokens).map(([asset, address]) => [address.toLowerCase(), asset as Asset] as const))

/**
 * Ethereum, or another chain with its block format, read from JSON-RPC endpoints (docs/chains/ethereum.md). Which
 * block is canonical is what they agree on (agreement.ts); what a block contains is proven by its hash, whoever answers
 * it.
 * @throws Error that names ETH_RPC_URLS when one of them is no address
 */
export const createEthereumBlockSource = (options: EthereumOptions): BlockSource => {
  const tokens = toTokens(options.tokens)
  const endpoints = openEndpoints(options)
  const gasAccount = options.account === undefined ? null : gasAccountOf(options.account)
  /** Endpoints that serve the right chain: one that was down at the start is asked before its first answer counts. */
  const checked = new WeakSet<JsonRpcEndpoint>()

  const check = async (endpoint: JsonRpcEndpoint, signal?: AbortSignal): Promise<void> => {
    if (checked.has(endpoint)) return
    await checkChainId(endpoint, options.chainId, signal)
    checked.add(endpoint)
  }
  const readAll = <T>(read: (endpoint: JsonRpcEndpoint) => Promise<T>, signal?: AbortSignal) =>
    endpoints.all(async (endpoint) => {
      await check(endpoint, signal)
      return read(endpoint)
    })
  const agreement = createAgreement({
    all: readAll,
    tip: (endpoint, signal) => readHeader(endpoint, 'latest', signal),
    at: readHeader,
  })

  return {
    network: 'ETH',
    verify: async (signal) => {
      const witnesses = await endpoints.all(async (endpoint) => {
        await check(endpoint, signal)
        await checkTokens(endpoint, tokens, signal)
      })
      for (const witness of witnesses)
        if ('error' in witness && witness.error instanceof SettingError) throw witness.error
      try {
        quorumOf(witnesses)
      } catch (error) {
        throw new Error('ETH_RPC_URLS: too few endpoints answer', { cause: error })
      }
    },
    head: agreement.head,
    next: (number, signal) => agreement.at(number + 1, signal),
    transfers: async (block, signal) =>
      transfersOf(
        await endpoints.first((endpoint) => readTransactions(endpoint, block, gasAccount, signal)),
        tokens,
      ),
    pending: () => Promise.resolve([]),
    balances: async (addresses, block, signal, asset = 'ETH') => {
      const token = asset === 'ETH' ? null : options.tokens[asset]
      if (token === undefined) throw new RangeError(`${asset} has no contract in ETH_TOKENS`)
      const witnesses = await readAll(
        (endpoint) => readBalances(endpoint, addresses, block, token, signal),
        signal,
      )
      const answers = quorumOf(witnesses).map(({ value }) => value)
      const balances = agreed(answers, (answer) => answer.join())
      if (balances === null)
        throw new RailError('unavailable', `the endpoints name different balances in block ${block.number}`)
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
