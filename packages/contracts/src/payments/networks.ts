import { z } from 'zod'

/** Assets by network (decisions §9): the one list of networks and assets. */
export const NETWORK_ASSETS = {
  BTC: ['BTC'],
  LTC: ['LTC'],
  ETH: ['ETH', 'USDT', 'USDC'],
  SOL: ['SOL'],
  XRP: ['XRP'],
} as const
export type Network = keyof typeof NETWORK_ASSETS
export type Asset = (typeof NETWORK_ASSETS)[Network][number]
export const NETWORKS = Object.keys(NETWORK_ASSETS) as readonly Network[]
export const ASSETS: readonly Asset[] = [...new Set(NETWORKS.flatMap((network) => NETWORK_ASSETS[network]))]
/** For error texts. */
export const ASSETS_OF_NETWORKS = NETWORKS.map(
  (network) => `${network} has ${NETWORK_ASSETS[network].join(', ')}`,
).join('; ')
export const Network = z.enum(NETWORKS)
export const Asset = z.enum(ASSETS)
