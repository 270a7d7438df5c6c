import type { DatabaseSync } from 'node:sqlite'
import { ASSETS, type Network } from '@causeway/contracts'
import { z } from 'zod'
import { inTransaction } from '../database.ts'
import type { Signal } from '../signal.ts'

/** Block height below the first deposit. A deposit enters a new block with its first confirmation. */
const FIRST_BLOCK = 1_000_000

/** The columns of {@link DepositRow}. */
export const DEPOSIT = `deposit_id AS depositId, asset, tx_id AS txId, amount, confirmations, block_number AS blockNumber`
export const DepositRow = z.object({
  depositId: z.number(),
  asset: z.enum(ASSETS),
  txId: z.string(),
  amount: z.string(),
  confirmations: z.number(),
  blockNumber: z.number().nullable(),
})
export type StoredDeposit = z.infer<typeof DepositRow>

const STATEMENTS = {
  depositsOn: `SELECT ${DEPOSIT} FROM chain_deposits
    WHERE order_id IN (SELECT order_id FROM chain_watches WHERE network = ?) ORDER BY deposit_id`,
  head: `SELECT number FROM chain_heads WHERE network = ?`,
  setHead: `INSERT INTO chain_heads (network, number) VALUES (?, ?)
    ON CONFLICT (network) DO UPDATE SET number = excluded.number`,
  confirm: `UPDATE chain_deposits SET confirmations = ?, block_number = ? WHERE deposit_id = ?`,
  append: `INSERT INTO chain_entries (deposit_id, confirmations, block_number) VALUES (?, ?, ?)`,
} as const

/**
 * The blocks of the simulated chains. Each deposit has a block to itself, however many confirmations it was given.
 * @param changed notified when an entry was appended to the log
 */
export const createBlocks = (database: DatabaseSync, changed: Signal) => {
  const prepare = (name: keyof typeof STATEMENTS) => database.prepare(STATEMENTS[name])
  const depositsOn = prepare('depositsOn')
  const head = prepare('head')
  const setHead = prepare('setHead')
  const confirm = prepare('confirm')
  const append = prepare('append')

  const listOn = (network: Network): StoredDeposit[] => DepositRow.array().parse(depositsOn.all(network))
  const headOf = (network: Network): number => Number(head.get(network)?.['number'] ?? FIRST_BLOCK)
  const mineOne = (network: Network): number => {
    const number = headOf(network) + 1
    setHead.run(network, number)
    return number
  }
  /** Within a transaction. */
  const setConfirmations = (
    network: Network,
    deposit: StoredDeposit,
    confirmations: number,
  ): StoredDeposit => {
    const blockNumber = confirmations === 0 ? null : (deposit.blockNumber ?? mineOne(network))
    confirm.run(confirmations, blockNumber, deposit.depositId)
    append.run(deposit.depositId, confirmations, blockNumber)
    return { ...deposit, confirmations, blockNumber }
  }

  return {
    setConfirmations,
    /** Mines blocks: the first one holds every deposit that is in none, and all gain confirmations. @returns the head */
    mine: (network: Network, blocks: number): number => {
      const last = inTransaction(database, () => {
        const first = mineOne(network)
        setHead.run(network, first + blocks - 1)
        for (const deposit of listOn(network))
          setConfirmations(
            network,
            { ...deposit, blockNumber: deposit.blockNumber ?? first },
            deposit.confirmations + blocks,
          )
        return first + blocks - 1
      })
      changed.notify()
      return last
    },
    /** Replaces the last blocks by empty ones. @returns the deposits that are in no block any more */
    reorganise: (network: Network, blocks: number): StoredDeposit[] => {
      const taken = inTransaction(database, () => {
        const above = headOf(network) - blocks
        return listOn(network)
          .filter(({ blockNumber }) => blockNumber !== null && blockNumber > above)
          .map((deposit) => setConfirmations(network, deposit, 0))
      })
      changed.notify()
      return taken
    },
  }
}
