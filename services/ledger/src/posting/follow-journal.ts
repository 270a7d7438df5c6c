import type { Db, Transaction } from '@causeway/chassis'
import type { journalPosition } from './position-store.ts'

type Follower = Readonly<{
  position: ReturnType<typeof journalPosition>
  /** Postings of one transaction. */
  batch: bigint
  /** Handles the postings with numbers after `after`, up to `through`. */
  handle: (tx: Transaction, span: Readonly<{ after: bigint; through: bigint }>) => Promise<unknown>
}>

/**
 * Handles the next postings of the journal in order. The position and what `handle` writes are in one transaction, so that
 * each posting is handled exactly once. A number in the journal has no later one committed before it, so none is skipped.
 * @returns whether there may be more
 */
export const followJournal = async (db: Db, { position, batch, handle }: Follower): Promise<boolean> => {
  const seen = await position.read(db.pooled)
  if (seen === null) throw new Error('The table of the position is empty')
  if (BigInt(seen.through) >= BigInt(seen.end)) return false
  return db.transaction(async (tx) => {
    const locked = await position.lock(tx)
    if (locked === null) return false
    const [after, end] = [BigInt(locked.through), BigInt(seen.end)]
    // Another replica has handled these postings meanwhile.
    if (after >= end) return false
    const through = after + batch < end ? after + batch : end
    await handle(tx, { after, through })
    await position.set(tx, { through })
    return through < end
  })
}
