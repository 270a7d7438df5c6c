import { refuse, type Queryable } from '@causeway/chassis'
import type { Network, Refusal } from '@causeway/contracts'
import {
  canonicalAddress,
  isRecipient,
  type NetworkChains,
  type ReceivingAccounts,
} from '@causeway/rails/networks'
import { findOrderAddress } from './own-addresses-store.ts'

/** Configuration that identifies the platform's addresses. */
export type OwnAddresses = Readonly<{ chains: NetworkChains; accounts: Partial<ReceivingAccounts> }>

const refuseAddress = (reason: string, expected: string) =>
  refuse('invalid_request', [{ field: 'to_address', reason, expected }])

/** Refuses what is no address of the network, and what is the platform's own: an order's, or a receiving account. */
export const refuseRecipient = async (
  db: Queryable,
  { chains, accounts }: OwnAddresses,
  network: Network,
  toAddress: string,
): Promise<Refusal<'invalid_request'> | null> => {
  if (!isRecipient(network, toAddress, chains))
    return refuseAddress('invalid_value', `an address of ${network}`)
  const address = canonicalAddress(network, toAddress)
  const isAccount = accounts[network]?.split(',').some((account) => account.trim() === address) ?? false
  return isAccount || (await findOrderAddress(db, { network, address })) !== null
    ? refuseAddress('forbidden_address', 'an address that is not the platform’s own')
    : null
}
