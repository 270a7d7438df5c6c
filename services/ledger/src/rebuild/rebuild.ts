import { randomInt } from 'node:crypto'
import type { Clock, Db, Queryable } from '@causeway/chassis'
import { readLedgerFact, type LedgerFact } from '@causeway/contracts'
import { adjustmentPosting } from '../adjustments/adjustment.ts'
import { payoutPosting } from '../payouts/payout.ts'
import { listSteps } from '../payouts/store.ts'
import { postBatch } from '../posting/post-facts.ts'
import type { Posting } from '../posting/posting.ts'
import { postingsOf } from '../posting/rules.ts'
import { reservePosting } from '../reserves/posting.ts'
import { listMovements } from '../reserves/store.ts'
import { settlementPosting } from '../settlement-postings/movements.ts'
import { readPostings } from '../settlement-postings/postings.ts'
import {
  getEnd,
  hasFactTable,
  listAdjustments,
  listFacts,
  listPostings,
  listSources,
  type KeptPosting,
} from './store.ts'

const PAGE = 10_000
/** Facts of one statement, as many as of one batch of events at most. */
const BATCH = 500

/** Reads every fact of a source, in the order of its sequences. @throws Error for a fact that does not match its schema */
export async function* factsOf(source: Queryable): AsyncGenerator<LedgerFact[]> {
  if ((await hasFactTable(source))?.hasTable !== true) return
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

/** Reads every adjustment of the books. */
async function* adjustmentsOf(books: Queryable): AsyncGenerator<Posting[]> {
  for (let after = ''; ;) {
    const rows = await listAdjustments(books, { after, limit: PAGE })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.adjustmentId
    yield rows.map(({ adjustmentId, amount, createdAt, ...adjusted }) =>
      adjustmentPosting({ ...adjusted, amount: BigInt(amount) }, adjustmentId, createdAt),
    )
  }
}

/** Reads the posting of every step of every payout. */
async function* payoutsOf(books: Queryable): AsyncGenerator<Posting[]> {
  for (let after = ''; ;) {
    const rows = await listSteps(books, { after, limit: PAGE })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.payoutId
    yield rows.flatMap(
      ({ step, at, ...row }) =>
        payoutPosting(step, { ...row, amount: BigInt(row.amount), fee: BigInt(row.fee) }, at) ?? [],
    )
  }
}

/** Reads the posting of every change of a reserve. */
async function* reservesOf(books: Queryable): AsyncGenerator<Posting[]> {
  for (let after = ''; ;) {
    const rows = await listMovements(books, { after, limit: PAGE })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.source
    yield rows.map((row) => reservePosting({ ...row, amount: BigInt(row.amount) }))
  }
}

type From = Readonly<{ sources: readonly Queryable[]; books: Queryable }>
type Into = Readonly<{ db: Pick<Db, 'pooled'>; clock: Pick<Clock, 'now'> }>

/**
 * Posts every fact of the sources and every adjustment, reserve, payout and matched settlement of the books twice, in random
 * order, into books that are empty.
 * @returns how many there are
 */
export const rebuildBooks = async ({ sources, books }: From, { db, clock }: Into): Promise<number> => {
  let posted = 0
  const postTwice = async <T>(page: readonly T[], postingsOf: (each: T) => readonly Posting[]) => {
    posted += page.length
    const doubled = shuffled([...page, ...page])
    for (let from = 0; from < doubled.length; from += BATCH)
      await postBatch(
        db.pooled,
        { postings: doubled.slice(from, from + BATCH).flatMap(postingsOf) },
        clock.now(),
      )
  }
  for (const source of sources) for await (const page of factsOf(source)) await postTwice(page, postingsOf)
  for await (const page of adjustmentsOf(books)) await postTwice(page, (posting) => [posting])
  for await (const page of reservesOf(books)) await postTwice(page, (posting) => [posting])
  for await (const page of payoutsOf(books)) await postTwice(page, (posting) => [posting])
  for await (const page of readPostings(books, PAGE))
    await postTwice(page, (each) => [settlementPosting(each)].filter((posting) => posting !== null))
  return posted
}

const keyOf = ({ source, rule }: Pick<KeptPosting, 'source' | 'rule'>): string => `${source} ${rule}`
const byKey = (postings: readonly KeptPosting[]) => new Map(postings.map((each) => [keyOf(each), each]))

/** One is scheduled where the other is posted if its time has come between two readings. */
const isSame = (one: KeptPosting, other: KeptPosting): boolean =>
  one.digest === other.digest && (one.lines === null || other.lines === null || one.lines === other.lines)

/** Reads the sources of all postings up to a number. */
async function* sourcesOf(books: Queryable, through: string): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const rows = await listSources(books, { after, through, limit: PAGE })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.source
    yield rows.map(({ source }) => source)
  }
}

/** Returns the number of the last posting: later ones may come from facts that a rebuild did not read. */
export const readEnd = async (books: Queryable): Promise<string> => (await getEnd(books))?.seq ?? '0'

/**
 * Compares two books posting by posting.
 * @param through postings of the books after this number count only where they are rebuilt
 * @returns a line for each posting that only one has or that differs; none where they are identical
 */
export const compareBooks = async (
  books: Queryable,
  rebuilt: Queryable,
  through: string,
): Promise<string[]> => {
  const differences: string[] = []
  const read = (sources: readonly string[]) =>
    Promise.all([
      listPostings(books, { sources }).then(byKey),
      listPostings(rebuilt, { sources }).then(byKey),
    ])
  for await (const sources of sourcesOf(rebuilt, await readEnd(rebuilt))) {
    const [inBooks, inRebuilt] = await read(sources)
    for (const [key, posting] of inRebuilt) {
      const other = inBooks.get(key)
      if (other === undefined) differences.push(`${key}: missing in the books`)
      else if (!isSame(posting, other)) differences.push(`${key}: the books have other content`)
    }
  }
  for await (const sources of sourcesOf(books, through)) {
    const [inBooks, inRebuilt] = await read(sources)
    for (const key of inBooks.keys())
      if (!inRebuilt.has(key))
        differences.push(`${key}: no fact, adjustment, reserve, payout or settlement gives this posting`)
  }
  return differences
}
