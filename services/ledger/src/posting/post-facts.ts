import type { Clock, Db, Queryable } from '@causeway/chassis'
import { ownerOfFact, readLedgerFact, type LedgerFact, type ServiceName } from '@causeway/contracts'
import { postingsOf } from './rules.ts'
import { journalIdOf } from './ids.ts'
import type { Posting, Transfer } from './posting.ts'
import { post } from './store.ts'

const accountsOf = (transfers: readonly Transfer[]) => {
  const accounts = new Map<string, object>()
  for (const { debit, credit, unit } of transfers)
    for (const { name, class: accountClass, ownerId, balance } of [debit, credit])
      accounts.set(`${unit} ${name}`, { name, unit, class: accountClass, owner_id: ownerId, balance })
  return [...accounts.values()]
}

const present = (posting: Posting) => ({
  id: journalIdOf(posting),
  source: posting.source,
  rule: posting.rule,
  order_key: posting.orderKey,
  order_id: posting.orderId,
  reverses: posting.reverses,
  estimated: posting.estimated,
  effective_at: posting.effectiveAt,
  due_at: posting.dueAt,
  transfers: posting.transfers.map(({ debit, credit, unit, amount, debitKind, creditKind }) => ({
    debit: debit.name,
    credit: credit.name,
    unit,
    amount: String(amount),
    debit_kind: debitKind,
    credit_kind: creditKind,
  })),
})

/** Postings and their accounts, as the functions of the books take them. */
export const presentPostings = (
  postings: readonly Posting[],
): Readonly<{ accounts: string; postings: string }> => ({
  accounts: JSON.stringify(accountsOf(postings.flatMap(({ transfers }) => transfers))),
  postings: JSON.stringify(postings.map(present)),
})

type Context = Readonly<{ db: Pick<Db, 'pooled'>; clock: Pick<Clock, 'now'> }>
type Result = Readonly<{ posted: number; scheduled: number; repeated: number }>

/** A fact, its text as received from its source, and the sequence of its event (null: unknown). */
export type ReceivedFact = Readonly<{ fact: LedgerFact; text: object; sequence: number | null }>

/** Reads the text of a fact. @throws Error that names each wrong field of a fact that does not match its schema */
export const readFact = (text: object, sequence: number | null): ReceivedFact => ({
  fact: readLedgerFact(text),
  text,
  sequence,
})

type Receipt = Readonly<{ service: ServiceName; sequence: number; fact: object }>

const receiptsOf = ({ fact, text, sequence }: ReceivedFact): Receipt[] =>
  sequence === null ? [] : [{ service: ownerOfFact(fact), sequence, fact: text }]

type Batch = Readonly<{
  postings: readonly Posting[]
  receipts?: readonly Receipt[]
  isFetched?: boolean
}>

/**
 * Posts a batch and stores its receipts in one statement: all of it or, when it throws, nothing. Repeated postings change
 * nothing. It locks the end of the journal until the transaction ends: no other batch is posted meanwhile.
 * @throws an error of SQLSTATE LB001 for what was posted before with other content
 */
export const postBatch = async (
  db: Queryable,
  { postings, receipts = [], isFetched = false }: Batch,
  now: Date,
): Promise<Result> => {
  const done = await post(db, {
    ...presentPostings(postings),
    received: JSON.stringify(receipts),
    isFetched,
    now,
  })
  if (done === null) throw new Error('books.post returned no row')
  return done
}

/** Posts facts, as {@link postBatch} does. */
export const postFacts = (
  { db, clock }: Context,
  facts: readonly LedgerFact[],
  receipts: Omit<Batch, 'postings'> = {},
): Promise<Result> => postBatch(db.pooled, { ...receipts, postings: facts.flatMap(postingsOf) }, clock.now())

/** {@link postFacts} with the receipts by which facts are compared with their sources (ADR 0080). */
export const postReceived = (
  context: Context,
  received: readonly ReceivedFact[],
  isFetched: boolean,
): Promise<Result> =>
  postFacts(
    context,
    received.map(({ fact }) => fact),
    { receipts: received.flatMap(receiptsOf), isFetched },
  )
