import type { Network } from '@causeway/contracts'
import { TREASURY_NETWORKS } from '@causeway/rails/networks'
import { TREASURY_NUMBER, type Transfers } from '@causeway/rails/transfers'

/** Value of <NETWORK>_SWEEP_ADDRESS for the treasury. */
export const TO_TREASURY = 'treasury'

/** The address from which the signer sends payouts; null where it cannot send. */
export const treasuryAddressOf = ({
  network,
  canSend,
  addressOf,
}: Pick<Transfers, 'network' | 'canSend' | 'addressOf'>): string | null =>
  canSend && TREASURY_NETWORKS.has(network) ? addressOf(TREASURY_NUMBER) : null

/** Sweep addresses in which the word `treasury` is replaced by the address; a network without nodes is left out. */
export const resolveSweepAddresses = (
  configured: Readonly<Partial<Record<Network, string>>>,
  networks: ReadonlyMap<Network, Transfers>,
): Readonly<Partial<Record<Network, string>>> =>
  Object.fromEntries(
    (Object.entries(configured) as [Network, string][]).flatMap(([network, address]) => {
      if (address !== TO_TREASURY) return [[network, address]]
      const transfers = networks.get(network)
      const own = transfers && treasuryAddressOf(transfers)
      return own ? [[network, own]] : []
    }),
  )
