import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'

/*
 * Ed25519 signatures (RFC 8032) of stored statements: the verifying key alone cannot create one. Keys
 * are 32 bytes, in the settings in base64.
 */

/** Prefixes of the 32 bytes of a private key in PKCS #8, and of a public key in SPKI (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

const toPrivateKey = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: 'der', type: 'pkcs8' })

const toPublicKey = (bytes: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, bytes]), format: 'der', type: 'spki' })

/** The verifying key of a signing key. */
export const verifyingKeyOf = (seed: Uint8Array): Buffer =>
  createPublicKey(toPrivateKey(seed)).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length)

const signedBytes = (purpose: string, statement: string): Buffer => Buffer.from(`${purpose}\n${statement}`)

/** Signs statements of one purpose, in base64url. */
export type StatementSigner = (statement: string) => string

/** @param purpose no signature of another purpose passes for one of this */
export const createStatementSigner = (purpose: string, seed: Uint8Array): StatementSigner => {
  const key = toPrivateKey(seed)
  return (statement) => sign(null, signedBytes(purpose, statement), key).toString('base64url')
}

export type StatementVerifier = (statement: string, signature: string) => boolean

/** @param keys one, or two while the signing key is replaced */
export const createStatementVerifier = (purpose: string, keys: readonly Uint8Array[]): StatementVerifier => {
  const known = keys.map(toPublicKey)
  return (statement, signature) => {
    const bytes = Buffer.from(signature, 'base64url')
    return known.some((key) => verify(null, signedBytes(purpose, statement), key, bytes))
  }
}
