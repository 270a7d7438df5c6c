import { createHash, randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { ASSETS, type Network, NETWORKS } from '@causeway/contracts'
import type { Deposit, WatchEntry } from '@causeway/rails/chains'
import { ASSET_DECIMALS, fromUnits, toUnits, TRANSACTION_ID_FORMATS } from '@causeway/rails/networks'
import { base58 } from '@scure/base'
import { z } from 'zod'
import { inTransaction } from '../database.ts'
import { SandboxError } from '../http/answers.ts'
import { createBlocks, DEPOSIT, DepositRow, type StoredDeposit } from './blocks.ts'
import { createSignal } from '../signal.ts'
import { createChainTables } from './schema.ts'

const WatchRow = z.object({
  orderId: z.string(),
  network: z.enum(NETWORKS),
  asset: z.enum(ASSETS),
  address: z.string(),
  due: z.string(),
})
const EntryRow = WatchRow.pick({ network: true, address: true })
  .extend(DepositRow.omit({ depositId: true }).shape)
  .extend({ seq: z.number(), timesOutside: z.number() })

const conflictOf = ({ orderId }: WatchEntry) =>
  new SandboxError(
    409,
    'watch_conflict',
    `Order ${orderId} or its address is already watched with other values.`,
  )

/**
 * The hash of a deposit's block: one that has left its block and is mined again is in another block of the same height.
 */
const blockHashOf = ({ txId, blockNumber, timesOutside }: z.infer<typeof EntryRow>): string | null =>
  blockNumber === null
    ? null
    : createHash('sha256').update(`${blockNumber}/${txId}/${timesOutside}`).digest('hex')

const depositOf = (row: z.infer<typeof EntryRow>): Deposit => {
  const { timesOutside: _, ...entry } = row
  return { ...entry, outputIndex: 0, blockHash: blockHashOf(row) }
}

const parseWatch = (row: unknown): WatchEntry | null => (row === undefined ? null : WatchRow.parse(row))

const STATEMENTS = {
  insertWatch: `INSERT INTO chain_watches (order_id, network, asset, address, due) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`,
  findWatch: `SELECT order_id AS orderId, network, asset, address, due FROM chain_watches WHERE order_id = ?`,
  findWatchByAddress: `SELECT order_id AS orderId, network, asset, address, due FROM chain_watches
    WHERE network = ? AND address = ?`,
  insertDeposit: `INSERT INTO chain_deposits (order_id, asset, tx_id, amount, confirmations) VALUES (?, ?, ?, ?, 0)
    RETURNING ${DEPOSIT}`,
  depositsOf: `SELECT ${DEPOSIT} FROM chain_deposits WHERE order_id = ? ORDER BY deposit_id`,
  lastSeq: `SELECT COALESCE(MAX(seq), 0) AS seq FROM chain_entries`,
  entriesAfter: `SELECT e.seq, w.network, d.asset, w.address, d.tx_id AS txId, d.amount,
      e.confirmations, e.block_number AS blockNumber,
      (SELECT COUNT(*) FROM chain_entries o WHERE o.deposit_id = e.deposit_id AND o.seq < e.seq AND o.block_number IS NULL)
        AS timesOutside
    FROM chain_entries e JOIN chain_deposits d USING (deposit_id) JOIN chain_watches w USING (order_id)
    WHERE e.seq > ? AND (w.network = ? OR ? IS NULL) ORDER BY e.seq LIMIT ?`,
} as const

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

const FORMATS: Readonly<Record<(typeof TRANSACTION_ID_FORMATS)[Network], () => string>> = {
  hex: () => hex(32),
  'upper-case hex': () => hex(32).toUpperCase(),
  '0x hex': () => `0x${hex(32)}`,
  'base58 signature': () => base58.encode(randomBytes(64)),
}

/** A transaction id in the network's format: a hash in hex, or a signature in base58. */
const createTransactionId = (network: Network): string => FORMATS[TRANSACTION_ID_FORMATS[network]]()

/** The simulated chain: watched addresses, deposits, and the log of every change to a deposit. */
export const createLedger = (database: DatabaseSync) => {
  createChainTables(database)
  const prepare = (name: keyof typeof STATEMENTS) => database.prepare(STATEMENTS[name])
  const insertWatch = prepare('insertWatch')
  const findWatch = prepare('findWatch')
  const findWatchByAddress = prepare('findWatchByAddress')
  const insertDeposit = prepare('insertDeposit')
  const depositsOf = prepare('depositsOf')
  const lastSeq = prepare('lastSeq')
  const entriesAfter = prepare('entriesAfter')
  const watched = createSignal()
  const changed = createSignal()
  const blocks = createBlocks(database, changed)

  const find = (orderId: string): WatchEntry | null => parseWatch(findWatch.get(orderId))
  const listDeposits = (orderId: string): StoredDeposit[] => DepositRow.array().parse(depositsOf.all(orderId))
  return {
    /** Notified when a watch was inserted. */
    watched,
    /** Notified when an entry was appended to the log. */
    changed,
    find,
    findByAddress: (network: string, address: string): WatchEntry | null =>
      parseWatch(findWatchByAddress.get(network, address)),
    /**
     * Adds all watches or none. An identical watch that exists already is accepted.
     * @throws SandboxError 409 when an order or its address is watched with other values
     */
    watch: (entries: readonly WatchEntry[]): void => {
      inTransaction(database, () => {
        for (const entry of entries) {
          insertWatch.run(entry.orderId, entry.network, entry.asset, entry.address, entry.due)
          if (!isDeepStrictEqual(find(entry.orderId), entry)) throw conflictOf(entry)
        }
      })
      watched.notify()
    },
    /** The amount due less every earlier deposit in the asset, unconfirmed ones included; at least 0. */
    amountDue: (watch: WatchEntry): string => {
      const decimals = ASSET_DECIMALS[watch.asset]
      const units = listDeposits(watch.orderId)
        .filter(({ asset }) => asset === watch.asset)
        .map(({ amount }) => toUnits(amount, decimals))
      const rest = units.reduce((sum, amount) => sum - amount, toUnits(watch.due, decimals))
      return fromUnits(rest > 0n ? rest : 0n, decimals)
    },
    deposit: (
      { orderId, network, asset }: WatchEntry,
      amount: string,
      confirmations: number,
    ): StoredDeposit => {
      const stored = inTransaction(database, () => {
        const row = insertDeposit.get(orderId, asset, createTransactionId(network), amount)
        return blocks.setConfirmations(network, DepositRow.parse(row), confirmations)
      })
      changed.notify()
      return stored
    },
    /** Sets the confirmations of every deposit of the order; 0 removes the deposits from their blocks (a reorg). */
    confirmAll: ({ orderId, network }: WatchEntry, confirmations: number): StoredDeposit[] => {
      const stored = inTransaction(database, () =>
        listDeposits(orderId).map((deposit) =>
          deposit.confirmations === confirmations
            ? deposit
            : blocks.setConfirmations(network, deposit, confirmations),
        ),
      )
      changed.notify()
      return stored
    },
    mine: blocks.mine,
    reorganise: blocks.reorganise,
    lastSeq: (): number => Number(lastSeq.get()?.['seq'] ?? 0),
    entriesAfter: (after: number, network: Network | null, limit: number): Deposit[] =>
      EntryRow.array()
        .parse(entriesAfter.all(after, network, network, limit))
        .map(depositOf),
  }
}

export type Ledger = ReturnType<typeof createLedger>
