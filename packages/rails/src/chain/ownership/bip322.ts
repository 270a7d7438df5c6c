import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { RawWitness, Transaction } from '@scure/btc-signer'
import { p2pkh, p2sh, p2wpkh } from '@scure/btc-signer/payment.js'
import { RawOldTx } from '@scure/btc-signer/script.js'
import { tagSchnorr } from '@scure/btc-signer/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'

/*
 * BIP-322, the "simple" form: the witness of a virtual transaction that spends a virtual output with the script of the
 * address. Written over @scure/btc-signer, which builds and hashes both; no package with this form knows Litecoin (ADR 0085).
 */

const NO_TRANSACTION = '00'.repeat(32)
const LAST_OUTPUT = 0xffff_ffff
const OP_RETURN = 0x6a
const SIGHASH_DEFAULT = 0
const SIGHASH_ALL = 1
const KEY_BYTES = 33
const SCHNORR_BYTES = 64

/** The transaction whose only output has the script of the address, and which commits to the message. */
const idOfSpent = (script: Uint8Array, message: string): Uint8Array => {
  const commitment = tagSchnorr('BIP0322-signed-message', Buffer.from(message, 'utf8'))
  const bytes = RawOldTx.encode({
    version: 0,
    inputs: [
      {
        txid: Buffer.from(NO_TRANSACTION, 'hex'),
        index: LAST_OUTPUT,
        finalScriptSig: Uint8Array.of(0, commitment.length, ...commitment),
        sequence: 0,
      },
    ],
    outputs: [{ amount: 0n, script }],
    lockTime: 0,
  })
  return sha256(sha256(bytes)).reverse()
}

const spendingOf = (script: Uint8Array, message: string): Transaction => {
  const spending = new Transaction({ version: 0, allowUnknownOutputs: true, allowLegacyWitnessUtxo: true })
  spending.addInput({
    txid: idOfSpent(script, message),
    index: 0,
    sequence: 0,
    witnessUtxo: { script, amount: 0n },
  })
  spending.addOutput({ script: Uint8Array.of(OP_RETURN), amount: 0n })
  return spending
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

/** Pay to witness public key hash, also inside a script hash: a signature and the key. */
const isOfKeyHash = (script: Uint8Array, message: string, [signed, key]: readonly Uint8Array[]): boolean => {
  if (signed === undefined || key?.length !== KEY_BYTES || signed.at(-1) !== SIGHASH_ALL) return false
  const witness = p2wpkh(key)
  if (!isSame(script, witness.script) && !isSame(script, p2sh(witness).script)) return false
  const hash = spendingOf(script, message).preimageWitnessV0(0, p2pkh(key).script, SIGHASH_ALL, 0n)
  return secp256k1.verify(signed.subarray(0, -1), hash, key, { prehash: false, format: 'der' })
}

/** Taproot by its key: one signature, of the key that the address names. */
const isOfTaproot = (script: Uint8Array, message: string, [signed]: readonly Uint8Array[]): boolean => {
  if (script.length !== 34 || script[0] !== 0x51 || signed === undefined) return false
  const sighash = signed.length === SCHNORR_BYTES ? SIGHASH_DEFAULT : signed[SCHNORR_BYTES]
  const isWhole =
    signed.length === SCHNORR_BYTES || (signed.length === SCHNORR_BYTES + 1 && sighash === SIGHASH_ALL)
  if (!isWhole || sighash === undefined) return false
  const hash = spendingOf(script, message).preimageWitnessV1(0, [script], sighash, [0n])
  return schnorr.verify(signed.subarray(0, SCHNORR_BYTES), hash, script.subarray(2))
}

/** True for the simple signature (BIP-322) of a message by the key of an address with this script. */
export const isSimpleSignature = (script: Uint8Array, message: string, signature: Uint8Array): boolean => {
  try {
    const witness = RawWitness.decode(signature)
    if (witness.length === 1) return isOfTaproot(script, message, witness)
    return witness.length === 2 && isOfKeyHash(script, message, witness)
  } catch {
    // The library throws for bytes that are no witness, key or signature.
    return false
  }
}
