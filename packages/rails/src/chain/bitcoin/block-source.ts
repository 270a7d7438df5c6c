import { RailError } from '../../rail-error.ts'
import { createAgreement, reportedByAny } from '../agreement.ts'
import type { BlockHeader, BlockSource, Transfer } from '../block-source.ts'
import { createEndpoints, type Endpoints, openAddresses } from '../endpoints.ts'
import { fromUnits } from '../units.ts'
import { parseBlock } from './block.ts'
import { createCoreEndpoint } from './core-endpoint.ts'
import type { BitcoinEndpoint } from './endpoint.ts'
import { createEsploraEndpoint } from './esplora-endpoint.ts'
import { hashText } from './hashes.ts'
import { InvalidBlockError, parseHeader } from './header.ts'
import { createMempoolReader } from './mempool.ts'
import { type ChainParameters, parametersOf, type UtxoChain, type UtxoNetwork } from './parameters.ts'
import { addressOf } from './script-address.ts'
import type { Transaction } from './transaction.ts'
import { checkBitcoinEndpoints, verifyBitcoin } from './verify.ts'

export type BitcoinSourceOptions = Readonly<{
  network: UtxoNetwork
  /** `BTC_CHAIN`, `LTC_CHAIN`. */
  chain: UtxoChain
  /** `BTC_NODE_URLS`, `LTC_NODE_URLS`: JSON-RPC of Bitcoin Core or Litecoin Core. */
  nodeUrls: readonly string[]
  /** `BTC_ESPLORA_URLS`, `LTC_ESPLORA_URLS`: additional witnesses to the nodes. */
  esploraUrls?: readonly string[]
  /** Absolute bound of one exchange with an endpoint. */
  timeoutMs: number
  /** Monotonic. */
  nowMs?: () => number
}>

const DECIMALS = 8

const openEndpoints = (options: BitcoinSourceOptions): Endpoints<BitcoinEndpoint> => {
  const { network, nodeUrls, esploraUrls = [] } = options
  const open = (setting: string, urls: readonly string[], create: typeof createCoreEndpoint) => {
    try {
      return openAddresses(urls, (url) => create(url, { ...options, setting }))
    } catch (error) {
      throw new Error(`${setting}: ${error instanceof Error ? error.message : ''}`, { cause: error })
    }
  }
  const all = [
    ...open(`${network}_NODE_URLS`, nodeUrls, createCoreEndpoint),
    ...open(`${network}_ESPLORA_URLS`, esploraUrls, createEsploraEndpoint),
  ]
  if (all.length === 0) throw new Error(`Set addresses in ${network}_NODE_URLS or ${network}_ESPLORA_URLS`)
  return createEndpoints(all, options.nowMs)
}

const readTransfers =
  (network: UtxoNetwork, parameters: ChainParameters) =>
  ({ hash, spends, outputs }: Transaction): readonly Transfer[] => {
    const txId = hashText(hash)
    return outputs.flatMap(({ value, script }, outputIndex) => {
      const address = value > 0n ? addressOf(script, parameters) : null
      if (address === null) return []
      return { asset: network, address, txId, outputIndex, amount: fromUnits(value, DECIMALS), spends }
    })
  }

/** Validates an endpoint's data for a block; on error, another endpoint is tried. */
const checked = <T>(endpoint: BitcoinEndpoint, hash: string, check: () => T): T => {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof InvalidBlockError)) throw error
    const message = `${endpoint.name}: block ${hash} ${error.message}`
    throw new RailError('unavailable', message, { cause: error })
  }
}

/**
 * Blocks of Bitcoin or Litecoin (docs/chains/bitcoin.md).
 * @throws Error that names the setting which cannot be used
 */
export const createBitcoinBlockSource = (options: BitcoinSourceOptions): BlockSource => {
  const { network, chain } = options
  const parameters = parametersOf(network, chain)
  const endpoints = checkBitcoinEndpoints(openEndpoints(options), { network, chain, parameters })
  const agreement = createAgreement({
    all: endpoints.all,
    tip: (endpoint, signal) => endpoint.tip(signal),
    at: async (endpoint, number, signal) => {
      const hash = await endpoint.hashAt(number, signal)
      return hash === null ? null : { number, hash }
    },
  })
  const transfersOf = readTransfers(network, parameters)
  const readMempool = createMempoolReader(transfersOf)

  const readHeader = (number: number, hash: string, signal?: AbortSignal): Promise<BlockHeader> =>
    endpoints.first(async (endpoint) => {
      const bytes = await endpoint.header(hash, signal)
      const { parentHash, minedAt } = checked(endpoint, hash, () => parseHeader(bytes, hash, parameters))
      return { number, hash, parentHash, minedAt }
    })

  return {
    network,
    verify: () => verifyBitcoin(endpoints),
    head: async (signal) => {
      const { number, hash } = await agreement.head(signal)
      return readHeader(number, hash, signal)
    },
    next: async (number, signal) => {
      const found = await agreement.at(number + 1, signal)
      return found === null ? null : readHeader(found.number, found.hash, signal)
    },
    transfers: (block, signal) =>
      endpoints.first(async (endpoint) => {
        const bytes = await endpoint.block(block.hash, signal)
        return checked(endpoint, block.hash, () => parseBlock(bytes, block, parameters)).flatMap(transfersOf)
      }),
    blockOf: (txId, signal) => reportedByAny(endpoints, (endpoint) => endpoint.blockOf(txId, signal)),
    pending: (signal) => endpoints.first((endpoint) => readMempool(endpoint, signal)),
    close: () => endpoints.close(),
  }
}
