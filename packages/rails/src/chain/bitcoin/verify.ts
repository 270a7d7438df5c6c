import type { Endpoints } from '../endpoints.ts'
import type { BitcoinEndpoint } from './endpoint.ts'
import type { ChainParameters, UtxoChain, UtxoNetwork } from './parameters.ts'

/** What the settings claim of the endpoints. */
type Claim = Readonly<{ network: UtxoNetwork; chain: UtxoChain; parameters: ChainParameters }>

/** The hash of an endpoint's first block, once it has what there is. */
const readGenesis = async (
  endpoint: BitcoinEndpoint,
  { network, chain, parameters }: Claim,
  signal?: AbortSignal,
): Promise<string> => {
  const { setting, name } = endpoint
  const genesis = await endpoint.hashAt(0, signal)
  if (genesis === null || !parameters.genesis.includes(genesis))
    throw new Error(`${setting}: ${name} is not on the chain ${chain} of ${network}; check ${network}_CHAIN`)
  if (await endpoint.isDownloading(signal))
    throw new Error(
      `${setting}: ${name} still downloads blocks (initial block download); wait until it is done`,
    )
  return genesis
}

/**
 * Whether the endpoints that answer are on the chain of the setting, and on the same one.
 * @throws Error that names the setting and the endpoint; RailError when none answers
 */
export const verifyEndpoints = async (
  endpoints: Endpoints<BitcoinEndpoint>,
  claim: Claim,
  signal?: AbortSignal,
): Promise<void> => {
  const witnesses = await endpoints.all((endpoint) => readGenesis(endpoint, claim, signal))
  const found = new Set(witnesses.flatMap((witness) => ('value' in witness ? witness.value : [])))
  const [failed] = witnesses.flatMap((witness) => ('error' in witness ? witness.error : []))
  if (found.size === 0 && failed) throw failed
  if (found.size > 1)
    throw new Error(
      `The endpoints of ${claim.network} are on different chains that are both called ${claim.chain}`,
    )
}
