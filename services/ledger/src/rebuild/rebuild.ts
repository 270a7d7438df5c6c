import { randomInt } from 'node:crypto'
import type { Clock, Db, Queryable } from '@causeway/chassis'
import { readLedgerFact, type LedgerFact } from '@causeway/contracts'
import { postFacts } from '../posting/post-facts.ts'
import { postingsOf } from '../posting/rules.ts'
import { listFacts, listPostings, type Posting } from './store.ts'

const PAGE = 10_000
/** Facts of one statement, as many as of one batch of events at most. */
const BATCH = 500

/** Reads every fact of a source, in the order of its events. @throws Error for a fact that does not match its schema */
export async function* factsOf(source: Queryable): AsyncGenerator<LedgerFact[]> {
  for (let after = 0; ;) {
    const rows = await listFacts(source, { after, limit: PAGE })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
    yield rows.map(({ fact }) => readLedgerFact(fact))
  }
}

const shuffled = <T>(values: readonly T[]): T[] => {
  const result = [...values]
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = randomInt(index + 1)
    ;[result[index], result[other]] = [result[other] as T, result[index] as T]
  }
  return result
}

/** Posts every fact twice, in random order, into books that are empty. @returns how many facts there are */
export const rebuildBooks = async (
  source: Queryable,
  into: Readonly<{ db: Pick<Db, 'pooled'>; clock: Pick<Clock, 'now'> }>,
): Promise<number> => {
  let facts = 0
  for await (const page of factsOf(source)) {
    facts += page.length
    const doubled = shuffled([...page, ...page])
    for (let from = 0; from < doubled.length; from += BATCH)
      await postFacts(into, doubled.slice(from, from + BATCH))
  }
  return facts
}

const keyOf = ({ source, rule }: Pick<Posting, 'source' | 'rule'>): string => `${source} ${rule}`
const byKey = (postings: readonly Posting[]) => new Map(postings.map((each) => [keyOf(each), each]))

/** One is scheduled where the other is posted if its time has come between two readings. */
const isSame = (one: Posting, other: Posting): boolean =>
  one.digest === other.digest && (one.lines === null || other.lines === null || one.lines === other.lines)

/**
 * Compares the postings of the source's facts in two books.
 * @returns a line for each posting that only one has or that differs; none where they are identical
 */
export const compareBooks = async (
  source: Queryable,
  books: Queryable,
  rebuilt: Queryable,
): Promise<string[]> => {
  const differences: string[] = []
  for await (const page of factsOf(source)) {
    const sources = [...new Set(page.flatMap(postingsOf).map((posting) => posting.source))]
    const [inBooks, inRebuilt] = await Promise.all([
      listPostings(books, { sources }).then(byKey),
      listPostings(rebuilt, { sources }).then(byKey),
    ])
    for (const [key, posting] of inRebuilt) {
      const other = inBooks.get(key)
      if (other === undefined) differences.push(`${key}: missing in the books`)
      else if (!isSame(posting, other)) differences.push(`${key}: the books have other content`)
    }
    for (const key of inBooks.keys())
      if (!inRebuilt.has(key)) differences.push(`${key}: no fact of the source gives this posting`)
  }
  return differences
}
