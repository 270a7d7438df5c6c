import { parametersOf, type UtxoChain, type UtxoNetwork } from '../../bitcoin/parameters.ts'
import { createEndpoints, type Endpoints, openAddresses } from '../../endpoints.ts'
import { fromUnits } from '../../units.ts'
import type { AccountKeys } from '../account-keys.ts'
import { TransferError } from '../transfers.ts'
import { createCoreSpending } from './core-spending.ts'
import { createEsploraSpending } from './esplora-spending.ts'
import type { SpendingEndpoint } from './spending-endpoint.ts'

export type BitcoinTransfersOptions = Readonly<{
  network: UtxoNetwork
  /** `BTC_CHAIN`, `LTC_CHAIN`. */
  chain: UtxoChain
  keys: AccountKeys
  nodeUrls: readonly string[]
  esploraUrls?: readonly string[]
  /** `BTC_FEE_RATE_MIN`, `…_MAX`: satoshi for a virtual byte. The least is paid where a node cannot tell. */
  feeRates: Readonly<{ min: number; max: number }>
  /** Absolute bound of one exchange with an endpoint; a search of all outputs may take ten minutes. */
  timeoutMs: number
}>

/** @throws Error that names the setting */
export const openSpendingEndpoints = (options: BitcoinTransfersOptions): Endpoints<SpendingEndpoint> => {
  const { network, nodeUrls, esploraUrls = [], timeoutMs } = options
  const parameters = parametersOf(network, options.chain)
  const open = (setting: string, urls: readonly string[], create: typeof createCoreSpending) => {
    try {
      return openAddresses(urls, (url) => create(url, { setting, timeoutMs, parameters }))
    } catch (error) {
      throw new Error(`${setting}: ${error instanceof Error ? error.message : ''}`, { cause: error })
    }
  }
  return createEndpoints([
    ...open(`${network}_NODE_URLS`, nodeUrls, createCoreSpending),
    ...open(`${network}_ESPLORA_URLS`, esploraUrls, createEsploraSpending),
  ])
}

const SATOSHI_DECIMALS = 8

/** The most satoshi for 1,000 virtual bytes that the settings allow. */
export const mostFeeRate = ({ feeRates }: Pick<BitcoinTransfersOptions, 'feeRates'>): bigint =>
  BigInt(feeRates.max) * 1_000n

/**
 * Satoshi for 1,000 virtual bytes, within the limits of the settings.
 * @throws TransferError when being mined costs more than they allow
 */
export const readFeeRate = async (
  endpoints: Endpoints<SpendingEndpoint>,
  options: Pick<BitcoinTransfersOptions, 'network' | 'feeRates'>,
  signal?: AbortSignal,
): Promise<bigint> => {
  const asked = (await endpoints.first((endpoint) => endpoint.feeRate(signal))) ?? 0n
  const { network, feeRates } = options
  const [min, max] = [BigInt(feeRates.min) * 1_000n, mostFeeRate(options)]
  if (asked <= max) return asked > min ? asked : min
  const [wanted, allowed] = [asked, max].map((rate) => fromUnits(rate, SATOSHI_DECIMALS))
  throw new TransferError(
    'fee_above_limit',
    `${network} requires ${wanted} for 1,000 bytes; ${network}_FEE_RATE_MAX allows ${allowed}`,
  )
}
