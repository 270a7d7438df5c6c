import type { Queryable } from '@causeway/chassis'
import * as store from './store.ts'
import { Movement, reversedMovements, type SettlementPosting } from './movements.ts'

type Row = NonNullable<Awaited<ReturnType<typeof store.getPosting>>>

const toPosting = ({ movements, ...row }: Row): SettlementPosting => ({
  ...row,
  movements: Movement.array().parse(movements),
})

/** Reads what a posting of the matching contains; null: nothing was posted. */
export const readPosting = async (db: Queryable, source: string): Promise<SettlementPosting | null> => {
  const row = await store.getPosting(db, { source })
  return row === null ? null : toPosting(row)
}

/** Reads what takes back the posting of a difference that ends; null: nothing was posted. */
export const readReversal = async (
  db: Queryable,
  differenceId: string,
  now: Date,
): Promise<SettlementPosting | null> => {
  const posting = await readPosting(db, `difference:${differenceId}`)
  return posting === null
    ? null
    : {
        ...posting,
        source: `difference_ended:${differenceId}`,
        effectiveAt: now,
        movements: reversedMovements(posting.movements),
      }
}

/** Reads the contents of all postings of the matching, page by page. */
export async function* readPostings(db: Queryable, limit: number): AsyncGenerator<SettlementPosting[]> {
  for (let after = ''; ;) {
    const rows = await store.listPostings(db, { after, limit })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.source
    yield rows.map(toPosting)
  }
}
