import { keccak_256 } from '@noble/hashes/sha3.js'

/**
 * The address with EIP-55 checksum: a letter is upper case where the hash of the lower-case address has a nibble of 8
 * or more.
 * @param digits 40 hex digits, without `0x`
 */
export const withChecksum = (digits: string): string => {
  const hex = digits.toLowerCase()
  const hash = Buffer.from(keccak_256(Buffer.from(hex, 'ascii'))).toString('hex')
  let address = '0x'
  for (let i = 0; i < hex.length; i++) {
    const character = hex.charAt(i)
    address += hash.charAt(i) >= '8' ? character.toUpperCase() : character
  }
  return address
}
