import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import secp256k1 from 'secp256k1'
import { keyPathOf } from './key-path.ts'

const base58check = createBase58check(sha256)

/** Version bytes of extended *public* keys that wallets export (SLIP-132): all hold the same 74 bytes. */
const PUBLIC_VERSIONS = {
  xpub: 0x0488b21e,
  zpub: 0x04b24746,
  Ltub: 0x019da462,
  tpub: 0x043587cf,
  vpub: 0x045f1cf6,
  ttub: 0x0436f6e1,
} as const
export type KeyVersion = keyof typeof PUBLIC_VERSIONS

const PRIVATE_VERSIONS: ReadonlySet<number> = new Set([
  0x0488ade4, 0x049d7878, 0x04b2430c, 0x019d9cfe, 0x01b26792, 0x04358394, 0x045f18bc, 0x0436ef7d,
])
const ACCOUNT_DEPTH = 3

/** A chain of an account, whose children are keys of addresses. */
export type KeyChain = Readonly<{
  publicKey: Uint8Array
  /** The same key uncompressed: adding to it saves a square root. */
  point: Uint8Array
  /** Imported once: an HMAC with raw bytes imports them at each call. */
  chainCode: KeyObject
}>

/** The key setting of a network cannot be used. The message names no part of the key. */
export class ExtendedKeyError extends Error {
  override readonly name = 'ExtendedKeyError'
}

const decode = (text: string): Uint8Array => {
  try {
    return base58check.decode(text)
  } catch {
    throw new ExtendedKeyError('is not an extended key: its checksum does not match')
  }
}

/** Replaces the version bytes by those that the BIP-32 library knows. */
const toAccount = (text: string, accepted: readonly KeyVersion[]): HDKey => {
  const bytes = decode(text)
  if (bytes.length !== 78) throw new ExtendedKeyError('is not an extended key: its length is wrong')
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const version = view.getUint32(0)
  if (PRIVATE_VERSIONS.has(version))
    throw new ExtendedKeyError('is a private key; use an extended public key')
  if (!accepted.some((name) => PUBLIC_VERSIONS[name] === version))
    throw new ExtendedKeyError(`must be one of ${accepted.join(', ')}`)
  view.setUint32(0, PUBLIC_VERSIONS.xpub)
  return HDKey.fromExtendedKey(base58check.encode(bytes))
}

const openChain = (account: HDKey, chain: number): KeyChain => {
  const { publicKey, chainCode } = account.deriveChild(chain)
  if (!publicKey || !chainCode) throw new ExtendedKeyError('has no public part')
  return {
    publicKey,
    point: secp256k1.publicKeyConvert(publicKey, false),
    chainCode: createSecretKey(chainCode),
  }
}

const openAccount = (text: string, accepted: readonly KeyVersion[]): HDKey => {
  const account = toAccount(text, accepted)
  if (account.depth !== ACCOUNT_DEPTH || account.index < HARDENED_OFFSET)
    throw new ExtendedKeyError("is not an account key (m/purpose'/coin'/account')")
  return account
}

/**
 * The external chain (`…/0`) of an account-level key (`m/purpose'/coin'/account'`, BIP-44).
 * @throws ExtendedKeyError for private keys, other kinds, other depths and broken checksums
 */
export const externalChain = (text: string, accepted: readonly KeyVersion[]): KeyChain =>
  openChain(openAccount(text, accepted), 0)

/** The public key of an order's number: 33 bytes compressed, 65 uncompressed. */
export type PublicKeyOf = (number: number) => Uint8Array

/**
 * Opens an account-level key for the public keys of orders' numbers. The chain of each generation is derived once.
 * @throws ExtendedKeyError as {@link externalChain}
 */
export const openPublicKeys = (
  text: string,
  accepted: readonly KeyVersion[],
  compressed: boolean,
): PublicKeyOf => {
  const account = openAccount(text, accepted)
  const chains = new Map([[0, openChain(account, 0)]])
  return (number) => {
    const path = keyPathOf(number)
    const chain = chains.get(path.chain) ?? openChain(account, path.chain)
    chains.set(path.chain, chain)
    return childPublicKey(chain, path.child, compressed)
  }
}

/**
 * The child public key of a chain: CKDpub of BIP-32, for a non-hardened `index`.
 *
 * Written out here because it is on the path of every order: the library's pure JavaScript takes ten
 * times as long as libsecp256k1 (README.md has the figures). The library is the oracle of its tests.
 * An index without a child (probability below 2^-127) throws, as BIP-32 says to skip it.
 */
export const childPublicKey = (chain: KeyChain, index: number, compressed: boolean): Uint8Array => {
  if (!Number.isInteger(index) || index < 0 || index >= HARDENED_OFFSET)
    throw new RangeError('index out of range')
  const data = Buffer.allocUnsafe(37)
  data.set(chain.publicKey)
  data.writeUInt32BE(index, 33)
  const tweak = createHmac('sha512', chain.chainCode).update(data).digest().subarray(0, 32)
  return secp256k1.publicKeyTweakAdd(chain.point, tweak, compressed)
}
