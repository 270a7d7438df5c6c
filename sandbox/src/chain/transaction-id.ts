import { randomBytes } from 'node:crypto'
import type { Network } from '@causeway/contracts'
import { base58 } from '@scure/base'

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

const SPELLINGS: Readonly<Record<Network, () => string>> = {
  BTC: () => hex(32),
  LTC: () => hex(32),
  ETH: () => `0x${hex(32)}`,
  SOL: () => base58.encode(randomBytes(64)),
  XRP: () => hex(32).toUpperCase(),
}

/** A transaction id as the network spells them: a hash in hex, or a signature in base58 (SOL). */
export const createTransactionId = (network: Network): string => SPELLINGS[network]()
