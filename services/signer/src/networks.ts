import type { KeylessServiceContext, Logger } from '@causeway/chassis'
import { NETWORKS, type Network } from '@causeway/contracts'
import { RailError } from '@causeway/rails'
import { openTransfers, type Transfers } from '@causeway/rails/transfers'
import type { SignerConfig } from './config.ts'

const NODE_TIMEOUT_MS = 15_000

/** How the signer moves money, by network; a network that is missing has no node here. */
export type SigningNetworks = ReadonlyMap<Network, Transfers>

const isAway = (error: unknown): boolean =>
  error instanceof RailError || (error instanceof Error && error.cause instanceof RailError)

/** Wrong settings end the start. Nodes that are away are waited for. */
const verify = async (transfers: Transfers, log: Logger): Promise<void> => {
  const { network, gasAddress } = transfers
  if (gasAddress !== null)
    log.info(
      { event: 'signer.gas_account', network, gasAddress },
      'This address pays the fees of token transfers: send it funds',
    )
  try {
    await transfers.verify()
  } catch (error) {
    if (!isAway(error)) throw error
    log.warn(
      { event: 'signer.nodes_away', network, error },
      'Nodes of a network do not respond; transfers wait until they do',
    )
  }
}

/**
 * Opens every network that has nodes.
 * @throws Error that names the setting when nodes are not what it says
 */
export const openNetworks = async (
  { seed, nodes, chainUrl }: SignerConfig,
  { log, timeoutFactor }: Pick<KeylessServiceContext, 'log' | 'timeoutFactor'>,
): Promise<SigningNetworks> => {
  const networks = openTransfers(NETWORKS, {
    seed,
    config: nodes,
    sandboxUrl: chainUrl,
    timeoutMs: NODE_TIMEOUT_MS * timeoutFactor,
  })
  await Promise.all([...networks.values()].map((transfers) => verify(transfers, log)))
  return networks
}
