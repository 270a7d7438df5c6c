import { startLoop, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import { TOTALS_KEPT_DAYS } from '@causeway/contracts'
import { followJournal } from '../../posting/follow-journal.ts'
import * as store from '../store.ts'

const EVERY_MS = 2_000
/** Postings of one transaction. */
const BATCH = 5_000n
const PURGE_EVERY_MS = 3_600_000
const PURGE_BATCH = 5_000
const DAY_MS = 86_400_000

type Context = Readonly<{ db: Db; clock: Pick<Clock, 'now' | 'nowMs'> }>

/** The oldest day whose totals are kept. */
const oldestDay = ({ clock }: Pick<Context, 'clock'>): string =>
  new Date(clock.nowMs() - TOTALS_KEPT_DAYS * DAY_MS).toISOString().slice(0, 10)

/**
 * Adds new postings to the daily totals, each once.
 * @returns whether there may be more
 */
export const addNewPostings = (context: Context): Promise<boolean> =>
  followJournal(context.db, {
    position: store.POSITION,
    batch: BATCH,
    async handle(tx, span) {
      await store.addToPartners(tx)
      await store.addPostings(tx, { ...span, since: oldestDay(context) })
    },
  })

/** Keeps the daily totals a few seconds behind the journal. */
export const startDailyTotals = ({ log, ...context }: Context & Readonly<{ log: Logger }>): Loop =>
  startLoop({
    name: 'add-daily-totals',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: () => addNewPostings(context),
  })

/** Deletes totals that are no longer kept. Replicas may run it simultaneously. */
export const startTotalsPurge = ({ db, clock, log }: Context & Readonly<{ log: Logger }>): Loop =>
  startLoop({
    name: 'purge-daily-totals',
    everyMs: PURGE_EVERY_MS,
    restMs: 0,
    log,
    async run() {
      const deleted = await store.deleteOld(db, { since: oldestDay({ clock }), limit: PURGE_BATCH })
      return deleted.length === PURGE_BATCH
    },
  })
