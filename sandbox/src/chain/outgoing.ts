import type { DatabaseSync } from 'node:sqlite'
import { ASSETS, type Asset, type Network, NETWORKS } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { z } from 'zod'
import { inTransaction } from '../database.ts'
import { SandboxError } from '../http/answers.ts'
import { isPayable } from './amount.ts'

const text = z.string().min(1).max(200)

/** A payment from an address of the chain: `leaves` goes from it, `amount` arrives, the rest is the fee. */
export const TransactionRequest = z
  .strictObject({
    tx_id: text,
    network: z.enum(NETWORKS),
    asset: z.enum(ASSETS),
    from: text,
    nonce: z.int().nonnegative(),
    to: text,
    leaves: z.string().max(60),
    amount: z.string().max(60),
  })
  .refine(({ asset, leaves }) => isPayable(leaves, asset), { path: ['leaves'] })
  .refine(({ asset, amount }) => isPayable(amount, asset), { path: ['amount'] })
export type Transaction = z.infer<typeof TransactionRequest>

const Amounts = z.object({ amount: z.string() }).array()
const conflict = (message: string) => new SandboxError(409, 'transaction_conflict', message)

const STATEMENTS = {
  find: `SELECT tx_id FROM chain_transactions WHERE tx_id = ?`,
  insert: `INSERT INTO chain_transactions (tx_id, network, asset, from_address, nonce, to_address, leaves, amount)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  nonce: `SELECT COUNT(*) AS nonce FROM chain_transactions WHERE network = ? AND from_address = ?`,
  deposited: `SELECT d.amount FROM chain_deposits d JOIN chain_watches w USING (order_id)
    WHERE w.network = ? AND d.asset = ? AND w.address = ? AND d.confirmations > 0`,
  received: `SELECT amount FROM chain_transactions WHERE network = ? AND asset = ? AND to_address = ?`,
  left: `SELECT leaves AS amount FROM chain_transactions WHERE network = ? AND asset = ? AND from_address = ?`,
} as const

/**
 * Transactions that the signer sends on the simulated chain. Each is mined immediately; signatures are not
 * checked.
 */
export const createOutgoing = (database: DatabaseSync) => {
  const prepare = (name: keyof typeof STATEMENTS) => database.prepare(STATEMENTS[name])
  const statements = {
    find: prepare('find'),
    insert: prepare('insert'),
    nonce: prepare('nonce'),
    deposited: prepare('deposited'),
    received: prepare('received'),
    left: prepare('left'),
  }
  const balanceOf = (network: Network, asset: Asset, address: string) => {
    const sumOf = (name: 'deposited' | 'received' | 'left') =>
      Amounts.parse(statements[name].all(network, asset, address)).reduce(
        (sum, { amount }) => sum + toUnits(amount, ASSET_DECIMALS[asset]),
        0n,
      )
    return sumOf('deposited') + sumOf('received') - sumOf('left')
  }
  const nonceOf = (network: Network, address: string): number =>
    Number(statements.nonce.get(network, address)?.['nonce'] ?? 0)
  const isMined = (txId: string): boolean => statements.find.get(txId) !== undefined

  return {
    isMined,
    accountOf: (network: Network, asset: Asset, address: string) => ({
      amount: fromUnits(balanceOf(network, asset, address), ASSET_DECIMALS[asset]),
      nonce: nonceOf(network, address),
    }),
    /**
     * Mines a transaction; again, it changes nothing.
     * @throws SandboxError 409 when the address holds less, or another transaction has its nonce
     */
    mine: (transaction: Transaction): void =>
      inTransaction(database, () => {
        const { network, asset, from, nonce } = transaction
        if (isMined(transaction.tx_id)) return
        if (nonceOf(network, from) !== nonce) throw conflict(`The next nonce of ${from} is different.`)
        if (balanceOf(network, asset, from) < toUnits(transaction.leaves, ASSET_DECIMALS[asset]))
          throw conflict(`${from} holds less than the amount to send.`)
        const { tx_id: txId, to, leaves, amount } = transaction
        statements.insert.run(txId, network, asset, from, nonce, to, leaves, amount)
      }),
  }
}
export type Outgoing = ReturnType<typeof createOutgoing>
