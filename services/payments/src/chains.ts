import type { ServiceContext } from '@causeway/chassis'
import { RailError } from '@causeway/rails'
import { createSandboxChainAdapter, type BlockSource } from '@causeway/rails/chains'
import { insertBalanceChecks } from './blocks/balance-store.ts'
import { startBlockReader } from './blocks/jobs/block-reader.ts'
import { openHoldingsReaders } from './chain-holdings/readers.ts'
import { openSources } from './blocks/open-sources.ts'
import type { CryptoConfig } from './crypto-config.ts'
import { startChainWatcher } from './deposits/jobs/chain-watcher.ts'
import type { OrderLinks } from './crypto-orders/order.ts'
import { startWatchRegistration } from './deposits/jobs/watch-registration.ts'
import { toTolerance } from './deposits/settlement.ts'

const SANDBOX_TIMEOUT_MS = 5_000
const LOOK_UP_TIMEOUT_MS = 5_000

const isAway = (error: unknown): boolean =>
  error instanceof RailError || (error instanceof Error && error.cause instanceof RailError)

/** Wrong settings end the start. Nodes that are away are waited for: card orders need none. */
const verify = async (source: BlockSource, { log }: ServiceContext): Promise<void> => {
  try {
    await source.verify()
  } catch (error) {
    if (!isAway(error)) throw error
    log.warn(
      { event: 'chain.nodes_away', network: source.network, error },
      'Nodes of a network do not respond; its blocks are read when they respond again',
    )
  }
}

/**
 * Starts what reads the chains: a reader of blocks for each network that has nodes and takes orders or has taken some, and the sandbox's feed for the others.
 * @throws Error that names the setting when nodes are not what it says
 */
export const startChains = async (context: ServiceContext, config: CryptoConfig, links: OrderLinks) => {
  const { chainUrl, chainPollEveryMs, confirmations } = config
  const settlement = { tolerance: toTolerance(config.underpaymentTolerance), confirmations, links }
  const sources = await openSources(context, config)
  await Promise.all(sources.map((source) => verify(source, context)))
  const readers = sources.map((source) =>
    startBlockReader(context, settlement, { source, everyMs: chainPollEveryMs }),
  )
  const sandbox =
    chainUrl === undefined
      ? null
      : createSandboxChainAdapter({
          baseUrl: chainUrl,
          timeoutMs: SANDBOX_TIMEOUT_MS * context.timeoutFactor,
        })
  const registration = startWatchRegistration(context, {
    chain: sandbox,
    readNetworks: new Set(sources.map(({ network }) => network)),
    onRead: (entries) =>
      insertBalanceChecks(context.db, {
        orderIds: entries.filter(({ asset }) => asset === 'ETH').map(({ orderId }) => orderId),
      }),
  })
  const watcher =
    sandbox === null
      ? []
      : [startChainWatcher(context, sandbox, { ...settlement, onWatchesLost: registration.wake })]
  const holdings = openHoldingsReaders({
    networks: [...new Set([...config.networksLive, ...sources.map(({ network }) => network)])],
    ...{ sources, sandbox, nodes: config.nodes, confirmations },
    timeoutMs: LOOK_UP_TIMEOUT_MS * context.timeoutFactor,
  })
  return {
    /** The networks that are read from nodes. */
    sources: new Map(sources.map((source) => [source.network, source])),
    /** Readers of the balances of addresses, by network. */
    holdings,
    /** An order was inserted. */
    onInserted: registration.wake,
    async stop() {
      await Promise.all([registration, ...watcher, ...readers].map((job) => job.stop()))
      const chains = [...(sandbox === null ? [] : [sandbox]), ...sources, ...holdings.values()]
      await Promise.all(chains.map((chain) => chain.close()))
    },
  }
}
