import { scryptSync } from 'node:crypto'
import { doubleSha256, hashText } from './hashes.ts'
import type { ChainParameters } from './parameters.ts'

export const HEADER_BYTES = 80

/** The 80 bytes that a block's hash is the hash of. */
export type Header = Readonly<{
  hash: string
  parentHash: string
  /** As serialized. */
  merkleRoot: Buffer
  minedAt: Date
}>

/** Litecoin's parameters of scrypt (RFC 7914), with the header as password and salt. */
const SCRYPT = { N: 1024, r: 1, p: 1 } as const

const valueOf = (hash: Buffer): bigint => BigInt(`0x${hashText(hash)}`)

/** The greatest hash that shows enough work, from its compact form: a byte of length and three digits. */
const targetOf = (bits: number): bigint => {
  const digits = BigInt(bits & 0x7fffff)
  const length = bits >>> 24
  return length <= 3 ? digits >> BigInt(8 * (3 - length)) : digits << BigInt(8 * (length - 3))
}

/** Why a header does not show the work that its chain takes; null when it does. */
const faultOfWork = (bytes: Buffer, hash: Buffer, { work, leastHashes }: ChainParameters): string | null => {
  const target = targetOf(bytes.readUInt32LE(72))
  if ((1n << 256n) / (target + 1n) < leastHashes) return 'less work than its chain requires'
  const shown = work === 'scrypt' ? scryptSync(bytes, bytes, 32, SCRYPT) : hash
  return valueOf(shown) > target ? 'not the work that it claims' : null
}

/** Describes why the bytes of a header or block are invalid. */
export class InvalidBlockError extends Error {
  override readonly name = 'InvalidBlockError'
}

/**
 * The header in front of these bytes, with this hash and the work of its chain.
 * @throws InvalidBlockError for any other
 */
export const parseHeader = (source: Buffer, expectedHash: string, chain: ChainParameters): Header => {
  if (source.length < HEADER_BYTES) throw new InvalidBlockError('shorter than a header')
  const bytes = source.subarray(0, HEADER_BYTES)
  const ownHash = doubleSha256(bytes)
  const hash = hashText(ownHash)
  if (hash !== expectedHash) throw new InvalidBlockError(`has the hash ${hash}`)
  const fault = faultOfWork(bytes, ownHash, chain)
  if (fault !== null) throw new InvalidBlockError(`shows ${fault}`)
  return {
    hash,
    parentHash: hashText(bytes.subarray(4, 36)),
    merkleRoot: bytes.subarray(36, 68),
    minedAt: new Date(bytes.readUInt32LE(68) * 1_000),
  }
}
