import type { BlockSource, Transfer } from '@causeway/rails/chains'
import { settleDeposits } from '../deposits/settle-deposits.ts'
import { withoutChange } from './change.ts'
import { lockPosition } from './position-store.ts'
import type { BlockContext } from './process-blocks.ts'
import { deleteVanishedSightings, listKnownOutputs, listWatchedAddresses } from './store.ts'

const outputOf = ({ txId, outputIndex }: Pick<Transfer, 'txId' | 'outputIndex'>): string =>
  `${txId}/${outputIndex}`

/**
 * Takes in what waits to be mined: a transfer to an order that was not known is kept with 0 confirmations, which counts for
 * nothing, and what waits no more is forgotten. A deposit in a block stays as it is: endpoints differ for moments in what
 * they have seen mined.
 */
export const processSightings = async (
  context: BlockContext,
  source: BlockSource,
  signal?: AbortSignal,
): Promise<void> => {
  const { db, network, holder } = context
  const pending = await source.pending(signal)
  const addresses = [...new Set(pending.map(({ address }) => address))]
  const watched = addresses.length === 0 ? [] : await listWatchedAddresses(db, { network, addresses })
  const orders = new Set(watched.map(({ address }) => address))
  const sighted = await withoutChange(
    db,
    network,
    pending.filter(({ address }) => orders.has(address)),
  )
  await db.transaction(async (tx) => {
    if ((await lockPosition(tx, { network, holder })) === null) return
    await deleteVanishedSightings(tx, { network, txIds: sighted.map(({ txId }) => txId) })
    if (sighted.length === 0) return
    const known = await listKnownOutputs(tx, {
      network,
      txIds: sighted.map(({ txId }) => txId),
      outputIndexes: sighted.map(({ outputIndex }) => outputIndex),
    })
    const outputs = new Set(known.map(outputOf))
    const fresh = sighted.filter((transfer) => !outputs.has(outputOf(transfer)))
    await settleDeposits(
      tx,
      context,
      fresh.map((transfer) => ({
        ...transfer,
        network,
        confirmations: 0,
        blockNumber: null,
        blockHash: null,
      })),
    )
  })
}
