import { implement, reply, type Implementation } from '@causeway/chassis'
import { treasury, type Network } from '@causeway/contracts'
import type { SigningNetworks } from '../networks.ts'
import { treasuryAddressOf } from './treasury.ts'

type Options = Readonly<{
  networks: SigningNetworks
  sweepAddresses: Readonly<Partial<Record<Network, string>>>
}>

/** `signer.treasury` (decisions §50). */
export const treasuryOperations = ({ networks, sweepAddresses }: Options): Implementation[] =>
  implement(treasury, {
    list: () =>
      Promise.resolve(
        reply({
          treasury_addresses: [...networks.values()].flatMap((transfers) => {
            const { network } = transfers
            const address = treasuryAddressOf(transfers)
            return address === null
              ? []
              : [{ network, address, receives_sweeps: sweepAddresses[network] === address }]
          }),
        }),
      ),
  })
