import type { Db, Transaction } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { addSigning, countSignings, listOutstanding } from './store.ts'
import type { TransferRecord } from './transfer.ts'

/** State of a network's earlier signings when a transfer is signed. */
export type Signing = Readonly<{
  network: Network
  /** Transfers that are signed and neither confirmed nor failed. */
  outstanding: readonly TransferRecord[]
  /** Transfers of the network that were ever signed. */
  count: number
}>

/** Reads what is under way on a network, before something is signed. */
export const beginSigning = async (db: Db, network: Network): Promise<Signing> => {
  const count = (await countSignings(db, { network }))?.count ?? 0
  return { network, count, outstanding: await listOutstanding(db, { network }) }
}

/**
 * Counts what was signed, in the transaction that stores it; false where another transfer of the network was signed since
 * it was begun. Signing asks nodes, for up to minutes; what was signed and sent meanwhile may use the same nonce. Then it
 * is thrown away, and signed again.
 */
export const finishSigning = async (tx: Transaction, { network, count }: Signing): Promise<boolean> =>
  (await addSigning(tx, { network, before: count })) !== null
