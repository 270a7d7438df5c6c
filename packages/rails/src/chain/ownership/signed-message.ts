import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { CompactSize } from '@scure/btc-signer'
import { p2pkh, p2sh, p2wpkh } from '@scure/btc-signer/payment.js'
import type { UtxoNetwork } from '../bitcoin/parameters.ts'

/* The older form of signed messages (`signmessage` of Bitcoin Core and Litecoin Core; BIP-137). */

const PREFIX: Readonly<Record<UtxoNetwork, string>> = {
  BTC: 'Bitcoin Signed Message:\n',
  LTC: 'Litecoin Signed Message:\n',
}

/** Header bytes: 27 to 30 for an uncompressed key, up to 42 for a compressed one; the address decides its form. */
const FIRST_HEADER = 27
const FIRST_COMPRESSED = 31
const LAST_HEADER = 42
const SIGNATURE_BYTES = 65

const withLength = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'utf8')
  return Buffer.concat([CompactSize.encode(BigInt(bytes.length)), bytes])
}

/** The scripts of all addresses of a key. Only a hash of an uncompressed key is an address. */
const scriptsOf = (key: Uint8Array, isCompressed: boolean): Uint8Array[] => {
  if (!isCompressed) return [p2pkh(secp256k1.Point.fromBytes(key).toBytes(false)).script]
  const witness = p2wpkh(key)
  return [p2pkh(key).script, witness.script, p2sh(witness).script]
}

/** True for the signature, in the older form, of a message by the key of an address with this script. */
export const isOlderSignature = (
  network: UtxoNetwork,
  script: Uint8Array,
  message: string,
  signature: Uint8Array,
): boolean => {
  const [header = 0] = signature
  if (signature.length !== SIGNATURE_BYTES || header < FIRST_HEADER || header > LAST_HEADER) return false
  try {
    const hash = sha256(sha256(Buffer.concat([withLength(PREFIX[network]), withLength(message)])))
    const recoverable = Uint8Array.of((header - FIRST_HEADER) & 3, ...signature.subarray(1))
    const key = secp256k1.recoverPublicKey(recoverable, hash, { prehash: false })
    return scriptsOf(key, header >= FIRST_COMPRESSED).some((own) => Buffer.compare(own, script) === 0)
  } catch {
    // The library throws for numbers that are no signature.
    return false
  }
}
