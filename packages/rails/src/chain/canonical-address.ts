import type { Network } from '@causeway/contracts'
import { withChecksum } from './formats/ethereum-address.ts'
import { decodeClassicAddress, decodeXAddress } from './formats/xrp-address.ts'

const classicAddressOf = (address: string): string => {
  if (decodeClassicAddress(address) !== null) return address
  try {
    return decodeXAddress(address).classicAddress
  } catch {
    return address
  }
}

/** Bech32 is the same in upper and in lower case (BIP-173). */
const BECH32 = /^(bc|tb|bcrt|ltc|tltc|rltc)1/i

/**
 * One spelling of an address for all that name the same account: the checksum's case (ETH), lower case (bech32), the
 * classic address without its tag (XRP). Other texts are returned as they are.
 */
export const canonicalAddress = (network: Network, address: string): string => {
  if (network === 'ETH')
    return /^0x[0-9a-fA-F]{40}$/.test(address) ? withChecksum(address.slice(2).toLowerCase()) : address
  if (network === 'XRP') return classicAddressOf(address)
  return BECH32.test(address) ? address.toLowerCase() : address
}
