import { queryOne, type Queryable } from '@causeway/chassis'
import type { Network } from '@causeway/contracts'
import { z } from 'zod'

/** Indexes in one block: INCREMENT BY of the sequences. */
const BLOCK = 32

const nextBlock = queryOne({
  name: 'indices.next',
  parameters: { sequence: 'text' },
  text: 'SELECT nextval(CAST(:sequence AS regclass)) AS first',
  row: z.object({ first: z.number() }),
})

/** Takes a block of derivation indexes from the network's sequence: its first index, and the one after its last. */
export const takeIndexBlock = async (
  db: Queryable,
  network: Network,
): Promise<Readonly<{ first: number; end: number }>> => {
  const row = await nextBlock(db, { sequence: `order_index_${network.toLowerCase()}` })
  if (!row) throw new Error(`The sequence of derivation indexes of ${network} gave no value`)
  return { first: row.first, end: row.first + BLOCK }
}
