import { createHash } from 'node:crypto'
import type { Network } from '@causeway/contracts'
import { base58, bech32, bech32m, createBase58check } from '@scure/base'
import { isChecksummed } from './addresses.ts'
import { decodeClassicAddress, decodeXAddress } from './xrp-address.ts'

/*
 * Addresses that money may be sent to: well formed, of the network, on its main chain. A wrong character is caught
 * wherever the form has a checksum. Whether anybody holds the key cannot be told.
 */

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest())
const HASH_BYTES = 20

/** Pay to public key hash and to script hash: a version byte and 20 bytes. */
const isLegacy = (versions: readonly number[], address: string): boolean => {
  try {
    const bytes = base58check.decode(address)
    return bytes.length === 1 + HASH_BYTES && versions.includes(bytes[0] ?? -1)
  } catch {
    return false
  }
}

/** Witness programs: version 0 in Bech32 with 20 or 32 bytes (BIP-173), version 1 in Bech32m with 32 (BIP-350, BIP-341). */
const isSegwit = (prefix: string, address: string): boolean => {
  const programOf = (encoding: typeof bech32): { version: number | undefined; length: number } | null => {
    const decoded = encoding.decodeUnsafe(address)
    if (decoded?.prefix !== prefix) return null
    const [version, ...words] = decoded.words
    const program = encoding.fromWordsUnsafe(words)
    return program ? { version, length: program.length } : null
  }
  const first = programOf(bech32)
  const second = programOf(bech32m)
  return (
    (first?.version === 0 && (first.length === HASH_BYTES || first.length === 32)) ||
    (second?.version === 1 && second.length === 32)
  )
}

const isEthereum = (address: string): boolean =>
  /^0x[0-9a-fA-F]{40}$/.test(address) && !/^0x0{40}$/.test(address) && isChecksummed(address)

const isSolana = (address: string): boolean => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return false
  return base58.decode(address).length === 32
}

const isXrp = (address: string): boolean => {
  if (decodeClassicAddress(address)) return true
  try {
    decodeXAddress(address)
    return true
  } catch {
    return false
  }
}

const RULES: Readonly<Record<Network, (address: string) => boolean>> = {
  BTC: (address) => isSegwit('bc', address) || isLegacy([0x00, 0x05], address),
  LTC: (address) => isSegwit('ltc', address) || isLegacy([0x30, 0x32], address),
  ETH: isEthereum,
  SOL: isSolana,
  XRP: isXrp,
}

/**
 * Whether money can be sent to this address on a network. ETH: mixed case must be the EIP-55 checksum; the zero address
 * is nobody's. XRP: a classic address, or an X-address with a tag.
 */
export const isRecipient = (network: Network, address: string): boolean => RULES[network](address)
