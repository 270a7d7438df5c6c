import {
  keepEmittedFacts,
  newIdAt,
  type Queryable,
  type ServiceContext,
  type Transaction,
} from '@causeway/chassis'
import type { LedgerFact } from '@causeway/contracts'
import * as store from './store.ts'

/** Rows of one page: their facts are read in some milliseconds. */
const PAGE = 200
/** Facts of one event: below 100 kB. */
const FACTS_PER_EVENT = 100
const OUTBOX_PAGE = 1_000
/** The events that carry facts. */
const SUBJECTS = ['payment.confirmed', 'payment.refunded', 'payment.chargeback', 'deposit.moved']

/** A row that does not tell a movement completely. */
export type Gap = Readonly<{ subject: string; reason: string }>

/** The facts of some rows. `last`: where the next page begins; null after the last page. */
export type PastPage = Readonly<{ facts: readonly LedgerFact[]; gaps: readonly Gap[]; last: string | null }>

/** Rows from which facts are made, in the order of their ids. Facts that were recorded before may be among them. */
export type PastSource = Readonly<{
  name: string
  readPage: (db: Queryable, page: Readonly<{ after: string; limit: number }>) => Promise<PastPage>
}>

/** First of all, so that a fact that an event has brought is known. The outbox has every event that the stream has. */
const OUTBOX: PastSource = {
  name: 'outbox',
  async readPage(db, { after }) {
    const page = { after: Number(after), subjects: SUBJECTS, limit: OUTBOX_PAGE }
    const last = await keepEmittedFacts(db, page)
    return { facts: [], gaps: [], last: last === null ? null : String(last) }
  },
}

/** The event has the name of a deposit's move, because services of an older version park names that they do not know. */
const emitFacts = (tx: Transaction, facts: readonly LedgerFact[], now: Date): void => {
  for (let from = 0; from < facts.length; from += FACTS_PER_EVENT)
    tx.emit({
      id: newIdAt('event', now.getTime()),
      name: 'deposit.moved',
      created_at: now.toISOString(),
      partners: [],
      merchant: null,
      fact: null,
      ledger_facts: facts.slice(from, from + FACTS_PER_EVENT),
    })
}

/**
 * Makes the next facts of rows that are older than the ledger (ADR 0074), in one transaction with the place that it has
 * reached: it may be interrupted anywhere, and repeated from the beginning. Other replicas do nothing meanwhile.
 * @returns whether there may be more
 */
export const createPastFacts = (
  { db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>,
  made: readonly PastSource[],
): (() => Promise<boolean>) => {
  const sources = [OUTBOX, ...made]
  return () =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const progress = await store.lockProgress(tx, { now })
      if (progress === null) return false
      const at = Math.max(
        0,
        sources.findIndex(({ name }) => name === progress.source),
      )
      const source = sources[at] ?? OUTBOX
      const { facts, gaps, last } = await source.readPage(tx, { after: progress.position, limit: PAGE })
      const factIds = facts.map(({ fact_id: id }) => id)
      const known = new Set((await store.listKnown(tx, { factIds })).map(({ factId }) => factId))
      const fresh = facts.filter(({ fact_id: id }) => !known.has(id))
      emitFacts(tx, fresh, now)
      if (gaps.length > 0) {
        const [subjects, reasons] = [gaps.map(({ subject }) => subject), gaps.map(({ reason }) => reason)]
        await store.insertGaps(tx, { subjects, reasons, now })
      }
      for (const gap of gaps)
        log.warn(
          { event: 'past_facts.incomplete', ...gap },
          'A row does not tell its movement of money completely',
        )
      const next = last === null ? (sources[at + 1]?.name ?? null) : source.name
      await store.saveProgress(tx, { source: next, position: last ?? '', dueAt: next === null ? null : now })
      if (next === null) log.info({ event: 'past_facts.made' }, 'The facts of older rows are recorded')
      return next !== null
    })
}
