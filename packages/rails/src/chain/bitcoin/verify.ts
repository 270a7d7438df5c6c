import { type CheckedEndpoints, checkEndpoints, SettingError } from '../checked-endpoints.ts'
import type { Endpoints } from '../endpoints.ts'
import type { BitcoinEndpoint } from './endpoint.ts'
import type { ChainParameters, UtxoChain, UtxoNetwork } from './parameters.ts'

/** Properties of the endpoints according to the settings. */
type Claim = Readonly<{ network: UtxoNetwork; chain: UtxoChain; parameters: ChainParameters }>

/** The hash of an endpoint's first block, once it has what there is. @throws SettingError, RailError */
const readGenesis = async (
  endpoint: BitcoinEndpoint,
  { network, chain, parameters }: Claim,
): Promise<string> => {
  const { setting, name } = endpoint
  const genesis = await endpoint.hashAt(0)
  if (genesis === null || !parameters.genesis.includes(genesis))
    throw new SettingError(
      `${setting}: ${name} is not on the chain ${chain} of ${network}; check ${network}_CHAIN`,
    )
  if (await endpoint.isDownloading())
    throw new SettingError(
      `${setting}: ${name} is still downloading blocks (initial block download); wait until it has finished`,
    )
  return genesis
}

/** Endpoints that are believed once they are on the chain of the setting, and all on the same one. */
export const checkBitcoinEndpoints = <E extends BitcoinEndpoint>(
  endpoints: Endpoints<E>,
  claim: Claim,
): CheckedEndpoints<E> => {
  let genesisOfAll: string | null = null
  return checkEndpoints(endpoints, async (endpoint) => {
    const genesis = await readGenesis(endpoint, claim)
    genesisOfAll ??= genesis
    if (genesis !== genesisOfAll)
      throw new SettingError(
        `The endpoints of ${claim.network} are on different chains that both have the name ${claim.chain}`,
      )
  })
}

/**
 * Checks that the endpoints that respond are on the chain of the setting.
 * @throws Error that names the setting and the endpoint; RailError when none answers
 */
export const verifyBitcoin = async <E>(endpoints: CheckedEndpoints<E>): Promise<void> => {
  const witnesses = await endpoints.verify()
  const [failed] = witnesses.flatMap((witness) => ('error' in witness ? witness.error : []))
  if (failed && witnesses.every((witness) => 'error' in witness)) throw failed
}
