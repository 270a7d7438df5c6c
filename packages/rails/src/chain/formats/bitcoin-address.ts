import { createHash } from 'node:crypto'
import { bech32, bech32m, createBase58check } from '@scure/base'
import type { ChainParameters } from '../bitcoin/parameters.ts'
import type { Derive } from '../network.ts'
import { openPublicKeys } from './extended-key.ts'

/* Addresses of Bitcoin and of the chains that share its forms. */

const SEGWIT_V0 = 0
const HASH_BYTES = 20

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const base58check = createBase58check(sha256)

/** Pay to witness public key hash (BIP-141, BIP-173): `bc1q…`, `ltc1q…`. `publicKey` is compressed. */
const segwitAddress = (prefix: string, publicKey: Uint8Array): string => {
  const hash = createHash('ripemd160').update(sha256(publicKey)).digest()
  return bech32.encode(prefix, [SEGWIT_V0, ...bech32.toWords(hash)])
}

/** Opens an account key (m/84'/coin'/0') of segwit addresses, one an order. */
export const openSegwitAccount = (account: string, { prefix, keyVersions }: ChainParameters): Derive => {
  const publicKeyOf = openPublicKeys(account, keyVersions, true)
  return (number) => {
    const address = segwitAddress(prefix, publicKeyOf(number))
    return { address, watchAddress: address }
  }
}

/** Checks whether this is an address of the chain, in any format that a wallet can send to. */
export const isUtxoRecipient = (address: string, { prefix, keyHash, scriptHash }: ChainParameters): boolean =>
  isSegwitAddress(prefix, address) || isLegacyAddress([keyHash, scriptHash], address)

/** Pay to public key hash and to script hash: one of these version bytes, and 20 bytes. */
const isLegacyAddress = (versions: readonly number[], address: string): boolean => {
  try {
    const bytes = base58check.decode(address)
    return bytes.length === 1 + HASH_BYTES && versions.includes(bytes[0] ?? -1)
  } catch {
    return false
  }
}

/** Witness programs: version 0 in Bech32 with 20 or 32 bytes (BIP-173), version 1 in Bech32m with 32 (BIP-350, BIP-341). */
const isSegwitAddress = (prefix: string, address: string): boolean => {
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
