import { keccak_256 } from '@noble/hashes/sha3.js'
import { HDKey } from '@scure/bip32'
import secp256k1 from 'secp256k1'
import { withChecksum } from '../formats/ethereum-address.ts'
import type { TransactionAnswer } from './answers.ts'
import { encodeUnsigned } from './encoding.ts'

/** @param point uncompressed, 65 bytes */
const addressOf = (point: Uint8Array): string =>
  withChecksum(Buffer.from(keccak_256(point.subarray(1)).subarray(12)).toString('hex'))

/**
 * The address from which the signer pays the gas of tokens: the first key of the account's change chain, which no order
 * has (`m/44'/60'/0'/1/0`).
 * @param account extended public key of m/44'/60'/0'
 */
export const gasAccountOf = (account: string): string => {
  const { publicKey } = HDKey.fromExtendedKey(account).deriveChild(1).deriveChild(0)
  if (!publicKey) throw new Error('the account has no public key')
  return addressOf(secp256k1.publicKeyConvert(publicKey, false))
}

const wordOf = (quantity: string): Buffer => Buffer.from(quantity.slice(2).padStart(64, '0'), 'hex')

/**
 * Checks whether this account signed a transaction. The sender in the response is not covered by the transaction's hash: it
 * only avoids recovering the signer of all other transactions, and is not trusted.
 */
export const isSignedBy = (account: string, transaction: TransactionAnswer): boolean => {
  const { from, r, s, v, yParity } = transaction
  if (from?.toLowerCase() !== account.toLowerCase()) return false
  const unsigned = encodeUnsigned(transaction)
  if (unsigned === null) return false
  const signature = Buffer.concat([wordOf(r), wordOf(s)])
  return (
    addressOf(secp256k1.ecdsaRecover(signature, Number(yParity ?? v), keccak_256(unsigned), false)) ===
    account
  )
}
