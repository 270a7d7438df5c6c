import { RailError } from '../../rail-error.ts'
import type { Transfer } from '../block-source.ts'
import { TruncatedError } from './byte-reader.ts'
import type { BitcoinEndpoint } from './endpoint.ts'
import { hashText } from './hashes.ts'
import { parseTransaction, type Transaction } from './transaction.ts'

/** The transfers of a transaction. */
export type TransfersOf = (transaction: Transaction) => readonly Transfer[]

/** More than a node with the default limit of 300 MB holds. */
const MAX_TRANSACTIONS = 400_000
/** Number of transactions that are fetched and stored together. */
const CHUNK = 500

/**
 * Reads a mempool. A transaction is cached by its id while it is listed, so that each read fetches only new ones; the id
 * determines the content. A result is complete, or an error.
 */
export type MempoolReader = (endpoint: BitcoinEndpoint, signal?: AbortSignal) => Promise<readonly Transfer[]>

export const createMempoolReader = (transfersOf: TransfersOf): MempoolReader => {
  const known = new Map<string, readonly Transfer[]>()

  const parse = (endpoint: BitcoinEndpoint, txId: string, bytes: Buffer): readonly Transfer[] => {
    const lie = (what: string) => new RailError('unavailable', `${endpoint.name} ${what} for ${txId}`)
    try {
      const transaction = parseTransaction(bytes)
      // The id of a transaction within MWEB (LIP-0004) is another hash; it brings nothing to an address.
      if (transaction.outputs.length === 0) return []
      if (hashText(transaction.hash) !== txId) throw lie('returned another transaction')
      return transfersOf(transaction)
    } catch (error) {
      if (error instanceof TruncatedError) throw lie('returned no transaction')
      throw error
    }
  }
  const fetch = async (endpoint: BitcoinEndpoint, txIds: readonly string[], signal?: AbortSignal) => {
    for (let from = 0; from < txIds.length; from += CHUNK) {
      const some = txIds.slice(from, from + CHUNK)
      const found = await endpoint.transactions(some, signal)
      for (const [at, txId] of some.entries()) {
        const bytes = found[at]
        if (bytes) known.set(txId, parse(endpoint, txId, bytes))
      }
    }
  }

  return async (endpoint, signal) => {
    const listed = new Set(await endpoint.mempool(signal))
    if (listed.size > MAX_TRANSACTIONS)
      throw new RailError('unavailable', `${endpoint.name} lists ${listed.size} unconfirmed transactions`)
    for (const txId of known.keys()) if (!listed.has(txId)) known.delete(txId)
    const unread = [...listed].filter((txId) => !known.has(txId))
    await fetch(endpoint, unread.slice(0, endpoint.mempoolReads), signal)
    const left = unread.length - endpoint.mempoolReads
    if (left > 0)
      throw new RailError(
        'unavailable',
        `${endpoint.name}: ${left} unconfirmed transactions have not been read yet`,
      )
    return [...listed].flatMap((txId) => known.get(txId) ?? [])
  }
}
