import { randomBytes } from 'node:crypto'
import type { Network } from '@causeway/contracts'
import { TRANSACTION_ID_FORMATS } from '@causeway/rails/networks'
import { base58 } from '@scure/base'

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

const FORMATS: Readonly<Record<(typeof TRANSACTION_ID_FORMATS)[Network], () => string>> = {
  hex: () => hex(32),
  'upper-case hex': () => hex(32).toUpperCase(),
  '0x hex': () => `0x${hex(32)}`,
  'base58 signature': () => base58.encode(randomBytes(64)),
}

/** A transaction id in the network's format: a hash in hex, or a signature in base58. */
export const createTransactionId = (network: Network): string => FORMATS[TRANSACTION_ID_FORMATS[network]]()
