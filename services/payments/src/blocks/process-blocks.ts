import type { Db, Transaction } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import type { Entry } from '../deposits/deposit-page.ts'
import { settleDeposits, type SettlementContext } from '../deposits/settle-deposits.ts'
import { withoutChange } from './change.ts'
import { movePosition, type Position } from './position-store.ts'
import type { Block } from './read-ahead.ts'
import {
  deleteOldBlocks,
  insertBlocks,
  listWaitingDeposits,
  listOwnAddresses,
  MOST_WAITING,
  type PlacedDeposit,
} from './store.ts'

/** Maximum depth of a reorganisation that is followed, in blocks; more than any confirmation depth. */
export const KEPT_BLOCKS = 1_000

export type BlockContext = SettlementContext & Readonly<{ db: Db; network: Network; holder: string }>

/** A deposit's own block is its first confirmation (decisions §20). */
const confirmed = (deposit: ReceivedDeposit, tipNumber: number): Entry => ({
  ...deposit,
  confirmations: tipNumber - deposit.blockNumber + 1,
})

type ReceivedDeposit = PlacedDeposit & Pick<Entry, 'shared'>

/**
 * Returns the transfers in these blocks to addresses of orders, including orders lost in a restore, and to shared accounts.
 * The cost depends on the blocks, not on the number of open orders.
 */
const receivedIn = async (
  tx: Transaction,
  network: Network,
  blocks: readonly Block[],
): Promise<readonly ReceivedDeposit[]> => {
  const addresses = new Set(blocks.flatMap(({ transfers }) => transfers.map(({ address }) => address)))
  if (addresses.size === 0) return []
  const own = await listOwnAddresses(tx, { network, addresses: [...addresses] })
  const known = new Set(own.map(({ address }) => address))
  const received = blocks.flatMap(({ header, transfers }) =>
    transfers
      .filter(({ address, shared }) => known.has(address) || shared !== undefined)
      .map((transfer) => ({ ...transfer, network, blockNumber: header.number, blockHash: header.hash })),
  )
  return withoutChange(tx, network, received)
}

/**
 * Processes blocks that follow the last one, in one transaction: waiting deposits gain confirmations, new deposits are
 * stored, their orders are settled, and the position moves. Does nothing when another replica has taken over.
 * @param from the last block that was read
 * @param blocks at least one; each is the child of the one before it
 * @returns whether the position moved
 */
export const processBlocks = (
  context: BlockContext,
  from: Position,
  blocks: readonly Block[],
): Promise<boolean> =>
  context.db.transaction(async (tx) => {
    const { network, holder } = context
    const headers = blocks.map(({ header }) => header)
    const tip = headers.at(-1)
    if (tip === undefined) return false
    const move = { network, holder, fromHash: from.hash, toNumber: tip.number, toHash: tip.hash }
    if (!(await movePosition(tx, move))) return false
    const waiting = await listWaitingDeposits(tx, { network, limit: MOST_WAITING })
    await insertBlocks(tx, {
      network,
      numbers: headers.map(({ number }) => number),
      hashes: headers.map(({ hash }) => hash),
    })
    await deleteOldBlocks(tx, { network, below: tip.number - KEPT_BLOCKS })
    const deposits: ReceivedDeposit[] = [...waiting, ...(await receivedIn(tx, network, blocks))]
    await settleDeposits(
      tx,
      context,
      deposits.map((deposit) => confirmed(deposit, tip.number)),
    )
    return true
  })
