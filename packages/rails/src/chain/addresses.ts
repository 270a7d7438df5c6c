import { createHash, createHmac } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, bech32 } from '@scure/base'

const SEGWIT_V0 = 0

/** Pay to witness public key hash (BIP-141, BIP-173): `bc1q…`, `ltc1q…`. `publicKey` is compressed. */
export const segwitAddress = (prefix: 'bc' | 'ltc', publicKey: Uint8Array): string => {
  const hash = createHash('ripemd160').update(createHash('sha256').update(publicKey).digest()).digest()
  return bech32.encode(prefix, [SEGWIT_V0, ...bech32.toWords(hash)])
}

/** EIP-55: a letter is upper case where the hash of the lower-case address has a nibble of 8 or more. */
const checksummed = (hex: string): string => {
  const hash = Buffer.from(keccak_256(Buffer.from(hex, 'ascii'))).toString('hex')
  let address = '0x'
  for (let i = 0; i < hex.length; i++) {
    const character = hex.charAt(i)
    address += hash.charAt(i) >= '8' ? character.toUpperCase() : character
  }
  return address
}

/** Whether the letters of `0x` and 40 hex digits are all of one case, or spell the EIP-55 checksum. */
export const isChecksummed = (address: string): boolean => {
  const hex = address.slice(2)
  return hex === hex.toLowerCase() || hex === hex.toUpperCase() || address === checksummed(hex.toLowerCase())
}

/** Ethereum address with EIP-55 checksum. `publicKey` is uncompressed, 65 bytes. */
export const ethereumAddress = (publicKey: Uint8Array): string =>
  checksummed(Buffer.from(keccak_256(publicKey.subarray(1)).subarray(12)).toString('hex'))

/**
 * Solana Pay reference of an order: 32 bytes that nobody needs the key of, used only to find the
 * transaction (getSignaturesForAddress). The same account and index always give the same reference.
 */
export const solanaReference = (account: Uint8Array, index: number): string =>
  base58.encode(createHmac('sha256', account).update(`causeway/solana-reference/${index}`).digest())
