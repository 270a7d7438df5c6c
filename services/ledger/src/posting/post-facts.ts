import type { Clock, Db } from '@causeway/chassis'
import type { LedgerFact } from '@causeway/contracts'
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

/**
 * Posts facts in one statement: all of them or, when it throws, none. Repeated facts change nothing.
 * @throws an error of SQLSTATE LB001 for a fact that was posted before with other content
 */
export const postFacts = async (
  { db, clock }: Readonly<{ db: Pick<Db, 'pooled'>; clock: Pick<Clock, 'now'> }>,
  facts: readonly LedgerFact[],
): Promise<Readonly<{ posted: number; scheduled: number; repeated: number }>> => {
  const postings = facts.flatMap(postingsOf)
  const done = await post(db.pooled, {
    accounts: JSON.stringify(accountsOf(postings.flatMap(({ transfers }) => transfers))),
    postings: JSON.stringify(postings.map(present)),
    now: clock.now(),
  })
  if (done === null) throw new Error('books.post returned no row')
  return done
}
