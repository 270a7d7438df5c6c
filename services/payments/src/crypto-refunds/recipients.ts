import { refuse, type Queryable } from '@causeway/chassis'
import type { Network, Refusal } from '@causeway/contracts'
import {
  canonicalAddress,
  type Destinations,
  isRecipient,
  isUnspendable,
  type NetworkChains,
  type ReceivingAccounts,
} from '@causeway/rails/networks'
import { findOrderAddress } from './own-addresses-store.ts'

/** Configuration that identifies the platform's addresses. */
export type OwnAddresses = Readonly<{
  chains: NetworkChains
  accounts: Partial<ReceivingAccounts>
  treasuryOf: Destinations['treasuryOf']
}>

const refuseAddress = (field: string, reason: string, expected: string) =>
  refuse('invalid_request', [{ field, reason, expected }])

/**
 * Refuses what is no address of the network, what nobody can send from, and what is the platform's own: an order's, a
 * receiving account, or the treasury's.
 * @param field the field of the request that names the address
 */
export const refuseRecipient = async (
  db: Queryable,
  { chains, accounts, treasuryOf }: OwnAddresses,
  network: Network,
  toAddress: string,
  field = 'to_address',
): Promise<Refusal<'invalid_request'> | null> => {
  if (!isRecipient(network, toAddress, chains))
    return refuseAddress(field, 'invalid_value', `an address of ${network}`)
  if (isUnspendable(network, toAddress, chains))
    return refuseAddress(field, 'forbidden_address', 'an address that somebody can send from')
  const address = canonicalAddress(network, toAddress)
  const isAccount = accounts[network]?.split(',').some((account) => account.trim() === address) ?? false
  const isOwn = isAccount || address === treasuryOf(network)
  return isOwn || (await findOrderAddress(db, { network, address })) !== null
    ? refuseAddress(field, 'forbidden_address', 'an address that is not the platform’s own')
    : null
}
