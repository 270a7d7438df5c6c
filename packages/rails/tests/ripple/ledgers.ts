import { createHash } from 'node:crypto'
import type { encode as encodeJson } from 'ripple-binary-codec'
import type * as LedgerHashes from 'ripple-binary-codec/dist/ledger-hashes.js'
import type { NodeCalls } from '../node-calls.ts'

/** Node's own: Jest's refuses the library, which is CommonJS that requires ES modules (ADR 0051). */
const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)
const { encode } = require('ripple-binary-codec') as { encode: typeof encodeJson }
const { ledgerHash, transactionTreeHash } =
  require('ripple-binary-codec/dist/ledger-hashes.js') as typeof LedgerHashes

type Json = Parameters<typeof transactionTreeHash>[0][number]
/** A transaction and its metadata in JSON; both are serialized by the XRP Ledger's own library. */
export type LedgerTransaction = Readonly<{ transaction: Json; metadata: Json }>
export type ClosedLedger = Readonly<{
  hash: string
  index: number
  data: string
  transactions: readonly { tx_blob: string; meta: string }[]
  /** Ids of the transactions. */
  ids: readonly string[]
}>

/** Ledgers that are closed and validated in this process, answered as rippled does in binary form. */
export type RippleLedgers = NodeCalls &
  Readonly<{
    close: (...transactions: readonly LedgerTransaction[]) => ClosedLedger
  }> & {
    /** Network id that the server reports. */
    networkId: number
  }

const FIRST_INDEX = 90_000_000
const GENESIS = 'AB'.repeat(32)
const STATE = 'CD'.repeat(32)
/** Who pays. */
export const SENDER = 'r3kmLJN5D28dHuH8vZNUZpMC43pEHpaocV'

export const idOf = (transaction: Json): string =>
  createHash('sha512')
    .update('TXN\0', 'latin1')
    .update(Buffer.from(encode(transaction), 'hex'))
    .digest()
    .subarray(0, 32)
    .toString('hex')
    .toUpperCase()

let sequence = 0
/** A payment of this account, with what a test is about replaced. */
export const payment = (transaction: Json, metadata: Json = {}): LedgerTransaction => ({
  transaction: {
    TransactionType: 'Payment',
    Account: SENDER,
    Fee: '10',
    Flags: 0,
    Sequence: (sequence += 1),
    SigningPubKey: '034AADB09CFF4A4804073701EC53C3510CDC95917C2BB0150FB742D0C66E6CEE9E',
    ...transaction,
  },
  metadata: {
    AffectedNodes: [],
    TransactionIndex: sequence % 100,
    TransactionResult: 'tesSUCCESS',
    ...metadata,
  },
})

const hex = (value: number | bigint, bytes: number) =>
  value
    .toString(16)
    .padStart(2 * bytes, '0')
    .toUpperCase()

export const closeLedger = (
  transactions: readonly LedgerTransaction[],
  { index, parent }: Readonly<{ index: number; parent: string }>,
): ClosedLedger => {
  const listed = transactions.map(({ transaction, metadata }) => ({
    ...transaction,
    hash: idOf(transaction),
    metaData: metadata,
  }))
  const header = {
    ledger_index: index,
    total_coins: '99988406188847858',
    parent_hash: parent,
    transaction_hash: transactionTreeHash(listed).toHex(),
    account_hash: STATE,
    parent_close_time: 748_569_570,
    close_time: 748_569_571,
    close_time_resolution: 10,
    close_flags: 0,
  }
  const data = [
    hex(index, 4) + hex(BigInt(header.total_coins), 8) + parent + header.transaction_hash + STATE,
    hex(header.parent_close_time, 4) + hex(header.close_time, 4) + hex(10, 1) + hex(0, 1),
  ].join('')
  return {
    hash: ledgerHash(header).toHex(),
    index,
    data,
    transactions: transactions.map(({ transaction, metadata }) => ({
      tx_blob: encode(transaction),
      meta: encode(metadata),
    })),
    ids: listed.map(({ hash: id }) => id),
  }
}

type Asked = Readonly<{
  ledger_index?: number | 'validated'
  ledger_hash?: string
  transactions: boolean
  binary: boolean
}>

export const createRippleLedgers = (): RippleLedgers => {
  const ledgers: ClosedLedger[] = [closeLedger([], { index: FIRST_INDEX, parent: GENESIS })]
  const find = ({ ledger_index: index, ledger_hash: hash }: Asked) =>
    index === 'validated'
      ? ledgers.at(-1)
      : ledgers.find((ledger) => ledger.index === index || ledger.hash === hash)
  const chain = {
    networkId: 0,
    close: (...transactions: readonly LedgerTransaction[]) => {
      const last = ledgers.at(-1) as ClosedLedger
      const ledger = closeLedger(transactions, { index: last.index + 1, parent: last.hash })
      ledgers.push(ledger)
      return ledger
    },
    rpc: async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
      if (method === 'server_info') {
        const info = { network_id: chain.networkId, validated_ledger: { seq: ledgers.at(-1)?.index } }
        return { info, status: 'success' } as T
      }
      if (method === 'tx') {
        const { transaction } = params[0] as Readonly<{ transaction: string }>
        const found = ledgers.find(({ ids }) => ids.includes(transaction))
        const missing = { error: 'txnNotFound', error_code: 29, status: 'error' }
        return (found ? { ledger_index: found.index, validated: true, status: 'success' } : missing) as T
      }
      const asked = params[0] as Asked
      const ledger = find(asked)
      if (!ledger)
        return { error: 'lgrNotFound', error_code: 21, error_message: 'ledgerNotFound', status: 'error' } as T
      const { hash, index, data, transactions } = ledger
      const content = { closed: true, ledger_data: data, ...(asked.transactions && { transactions }) }
      return {
        ledger: content,
        ledger_hash: hash,
        ledger_index: index,
        validated: true,
        status: 'success',
      } as T
    },
  }
  return chain
}
