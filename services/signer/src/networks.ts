import type { KeylessServiceContext } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import type { Transfers } from '@causeway/rails/transfers'
import type { SignerConfig } from './config.ts'

/** How the signer moves money, by network; a network that is missing has no node here. */
export type SigningNetworks = ReadonlyMap<Network, Transfers>

/** Opens every network that has nodes. */
export const openNetworks = (
  _config: SignerConfig,
  _context: Pick<KeylessServiceContext, 'timeoutFactor'>,
): Promise<SigningNetworks> => Promise.resolve(new Map())
