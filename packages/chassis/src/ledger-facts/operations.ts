import { factRecordsOf } from '@causeway/contracts'
import { setTimeout as sleep } from 'node:timers/promises'
import { implement, type Implementation } from '../bus/implement.ts'
import type { Queryable } from '../db/statement.ts'
import { refuse, reply } from '../outcome.ts'
import { observeTransactions } from '../outbox/store.ts'
import type { KeylessServiceContext } from '../service-context.ts'
import * as store from './store.ts'

/** Transactions of requests take milliseconds; the ledger asks again where one takes longer. */
const MAX_WAIT_MS = 2_000
const LOOK_EVERY_MS = 20

/**
 * Returns the last sequence given so far once no transaction of that time is under way: nothing at or below it can still be
 * committed. Null where one takes longer than {@link MAX_WAIT_MS}.
 */
const closedSequence = async (db: Queryable): Promise<number | null> => {
  const begun = await observeTransactions(db)
  const endMs = performance.now() + MAX_WAIT_MS
  while (begun !== null && performance.now() < endMs) {
    const now = await observeTransactions(db)
    if (now !== null && now.oldestXid >= begun.nextXid) return begun.lastSeq
    await sleep(LOOK_EVERY_MS)
  }
  return null
}

type Asked = Readonly<{ fact_id: string; sequence: number | null }>

/** Keeps the facts of the outbox's events at these sequences: a version without `ledger_facts` may have appended them. */
const keepFromOutbox = async (db: Queryable, asked: readonly Asked[]): Promise<void> => {
  const seqs = asked.flatMap(({ sequence }) => sequence ?? [])
  if (seqs.length === 0) return
  await store.keepFactsOf(db, await store.readEvents(db, { seqs }))
}

/** `<service>.ledger-facts` (ADR 0080). */
export const factRecordOperations = ({
  service,
  db: { pooled: db },
}: Pick<KeylessServiceContext, 'service' | 'db'>): Implementation[] =>
  implement(factRecordsOf(service), {
    async digest({ body: { after, through } }) {
      const end = through ?? (await closedSequence(db))
      if (end === null) return refuse('temporarily_unavailable')
      const window = await store.readWindow(db, { after, end })
      if (window === null) throw new Error('ledger-facts.window returned no row')
      return reply({ ...window, end: Math.max(end, after) })
    },

    async list({ body }) {
      const facts = await store.listWindow(db, body)
      return reply({ facts: facts.map(({ factId, ...fact }) => ({ fact_id: factId, ...fact })) })
    },

    async get({ body: { facts: asked } }) {
      const factIds = asked.map(({ fact_id }) => fact_id)
      let rows = await store.getFacts(db, { factIds })
      const known = new Set(rows.map(({ factId }) => factId))
      const missing = asked.filter(({ fact_id }) => !known.has(fact_id))
      if (missing.some(({ sequence }) => sequence !== null)) {
        await keepFromOutbox(db, missing)
        rows = await store.getFacts(db, { factIds })
      }
      return reply({ facts: rows.map(({ factId, ...fact }) => ({ fact_id: factId, ...fact })) })
    },
  })
