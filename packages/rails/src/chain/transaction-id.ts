import { base58 } from '@scure/base'
import type { Network } from '@causeway/contracts'
import { TRANSACTION_ID_FORMATS } from './networks.ts'

const HEX = /^[0-9a-fA-F]{64}$/
const PREFIXED_HEX = /^0x[0-9a-fA-F]{64}$/
/** 64 bytes have 64 to 88 characters in base58. */
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
const SIGNATURE_BYTES = 64

const isSignature = (text: string): boolean =>
  BASE58.test(text) && base58.decode(text).length === SIGNATURE_BYTES

/** Returns a transaction id as its network writes it; null for a text that is no id of a transaction there. */
export const canonicalTransactionId = (network: Network, txId: string): string | null => {
  switch (TRANSACTION_ID_FORMATS[network]) {
    case 'hex':
      return HEX.test(txId) ? txId.toLowerCase() : null
    case 'upper-case hex':
      return HEX.test(txId) ? txId.toUpperCase() : null
    case '0x hex':
      return PREFIXED_HEX.test(txId) ? txId.toLowerCase() : null
    case 'base58 signature':
      return isSignature(txId) ? txId : null
  }
}
