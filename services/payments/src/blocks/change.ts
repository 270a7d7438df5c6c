import type { Queryable } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import type { Transfer } from '@causeway/rails/chains'
import { listSpentDeposits } from './store.ts'

const MAX_INT4 = 2 ** 31 - 1

type Output = Readonly<{ txId: string; outputIndex: number }>
const nameOf = ({ txId, outputIndex }: Output): string => `${txId}:${outputIndex}`

const toOutput = (name: string): Output => {
  const [txId = '', index] = name.split(':')
  return { txId, outputIndex: Number(index) }
}

/**
 * Leaves out change: amounts that return to an order's address in a transaction that spends a deposit of this address. Only
 * the owner of its key can spend that, so the change of a refund is never taken for a payer's deposit: the chain shows it,
 * independent of the signer.
 * @param transfers to addresses of orders, oldest first; one may spend the output of another
 */
export const withoutChange = async <T extends Transfer>(
  db: Queryable,
  network: Network,
  transfers: readonly T[],
): Promise<readonly T[]> => {
  const spent = [...new Set(transfers.flatMap(({ spends = [] }) => spends))]
    .map(toOutput)
    .filter(({ outputIndex }) => outputIndex <= MAX_INT4)
  if (spent.length === 0) return transfers
  const deposits = await listSpentDeposits(db, {
    network,
    txIds: spent.map(({ txId }) => txId),
    outputIndexes: spent.map(({ outputIndex }) => outputIndex),
  })
  const addressOf = new Map([...deposits, ...transfers].map((output) => [nameOf(output), output.address]))
  return transfers.filter(({ address, spends = [] }) =>
    spends.every((name) => addressOf.get(name) !== address),
  )
}
