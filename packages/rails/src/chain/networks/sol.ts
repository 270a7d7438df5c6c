import { createHmac } from 'node:crypto'
import { base58 } from '@scure/base'
import { ExtendedKeyError } from '../formats/extended-key.ts'
import type { NetworkDefinition } from '../network.ts'

const ACCOUNT_BYTES = 32

const decodeAccount = (address: string): Uint8Array | null => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) return null
  const account = base58.decode(address)
  return account.length === ACCOUNT_BYTES ? account : null
}

/**
 * Solana Pay reference of an order: a public key of 32 bytes, used only to find the transaction
 * (getSignaturesForAddress); no private key exists. The same account and index always give the same reference.
 */
const referenceOf = (account: Uint8Array, index: number): string =>
  base58.encode(createHmac('sha256', account).update(`causeway/solana-reference/${index}`).digest())

/** Solana: all orders are paid to one address, each with a separate reference. */
export const sol: NetworkDefinition<'SOL'> = {
  assets: { SOL: { decimals: 9, sandboxPriceEur: '140', minimum: '0.00089088' } },
  /** Slots: 32 is finality. */
  confirmationDepth: 32,
  /** Only finalized slots are read: endpoints have half a minute to correct what they said of one. */
  finalityDepth: 100,
  fee: { asset: 'SOL', amount: '0.000005' },
  account: {
    doc: 'Receiving address on SOL',
    sandbox: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
    open(address) {
      const account = decodeAccount(address)
      if (!account) throw new ExtendedKeyError('is not a Solana address')
      return (index) => ({ address, watchAddress: referenceOf(account, index) })
    },
  },
  transactionIds: 'base58 signature',
  isRecipient: (address) => decodeAccount(address) !== null,
  /** The incinerator, programs, and the mints of wrapped SOL, USDC and USDT. */
  unspendable: [
    '1nc1nerator11111111111111111111111111111111',
    '11111111111111111111111111111111',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
    'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
    'So11111111111111111111111111111111111111112',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  ],
  /** Solana Pay. */
  paymentUri: ({ address, watchAddress, amount }) =>
    `solana:${address}?amount=${amount}&reference=${watchAddress}`,
}
