import type { ServiceContext } from '@causeway/chassis'
import { nodeSettingsOf, openBlockSources, type BlockSource } from '@causeway/rails/chains'
import type { CryptoConfig } from '../crypto-config.ts'
import { listFormerNetworks } from './position-store.ts'

/** Nodes are asked for whole blocks. */
const NODE_TIMEOUT_MS = 15_000

/**
 * Opens the nodes of the live networks, and of those that were live before: buyers of their orders still pay. A network
 * without nodes whose open orders nobody reads is logged.
 */
export const openSources = async (
  { db, log, timeoutFactor }: Pick<ServiceContext, 'db' | 'log' | 'timeoutFactor'>,
  config: Pick<CryptoConfig, 'accounts' | 'networksLive' | 'nodes' | 'chainUrl'>,
): Promise<readonly BlockSource[]> => {
  const { accounts, networksLive, nodes, chainUrl } = config
  const former = await listFormerNetworks(db, { networksLive })
  const sources = openBlockSources([...networksLive, ...former.map(({ network }) => network)], nodes, {
    accounts,
    timeoutMs: NODE_TIMEOUT_MS * timeoutFactor,
  })
  for (const { network, openOrders } of former) {
    const settings = [...nodeSettingsOf(network), `${network}_ACCOUNT`]
    const isRead = chainUrl !== undefined || sources.some((source) => source.network === network)
    if (!isRead && openOrders > 0)
      log.error(
        { event: 'chain.network_not_read', network, openOrders, settings },
        'A network with open orders is not in NETWORKS_LIVE any more and cannot be read: payments to these orders are not detected. Restore its nodes and account until the orders have ended',
      )
  }
  return sources
}
