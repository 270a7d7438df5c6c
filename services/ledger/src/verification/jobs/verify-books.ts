import { metrics, startLoop, type KeylessServiceContext } from '@causeway/chassis'
import { allowLongStatements, countOverdue, findWritableTables, makeCheckpoint } from '../store.ts'
import { verifyBooks } from '../verify.ts'

/** It reads the whole books. */
const VERIFY_EVERY_MS = 3_600_000
const STATEMENT_TIMEOUT_MS = 600_000
const COUNT_EVERY_MS = 10_000
const REST_MS = 1_000
/** Postings are due within this time (decisions §47). */
const WITHIN_MS = 60_000
const BOUND = 100_000
/** Postings between two checkpoints: a trial balance reads at most so many, which takes about 100 ms. */
const CHECKPOINT_EVERY = 20_000
const CHECKPOINT_LOOK_MS = 10_000

const faultsFound = metrics.gauge(
  'causeway_ledger_faults',
  'Faults that the last verification of the books found: a trial balance that is not 0, or balances that are not the sums of their entries',
)
const overdue = metrics.gauge(
  'causeway_ledger_overdue_postings',
  `Releases of card money that have been due for more than ${WITHIN_MS / 1_000} s; counted up to ${BOUND}`,
)

type Context = Pick<KeylessServiceContext, 'db' | 'clock' | 'log'>

/** Verifies the books and keeps the gauge of their faults. */
export const runVerification = async ({ db, clock, log }: Context): Promise<void> => {
  const [faults, writable] = await db.transaction(async (tx) => {
    await allowLongStatements(tx, { timeoutMs: String(STATEMENT_TIMEOUT_MS) })
    return [await verifyBooks(tx, clock.now()), await findWritableTables(tx)] as const
  })
  if (writable.length > 0)
    log.warn(
      { event: 'ledger.books_unprotected', tables: writable.map(({ subject }) => subject) },
      'The role of the ledger can change the books: run deploy/postgres/protect-books.sql as superuser',
    )
  faultsFound.set(faults.length)
  for (const fault of faults) log.error({ event: 'ledger.fault', fault }, 'The books are wrong')
}

/** Counts the postings that should have been made by now. */
export const runOverdueCount = async ({ db, clock }: Omit<Context, 'log'>): Promise<void> => {
  const before = new Date(clock.nowMs() - WITHIN_MS)
  overdue.set((await countOverdue(db.pooled, { before, bound: BOUND }))?.overdue ?? 0)
}

/** Makes the next checkpoint if it is missing. @returns whether there may be another one */
export const runCheckpoint = async (
  { db }: Pick<Context, 'db'>,
  every = CHECKPOINT_EVERY,
): Promise<boolean> => (await makeCheckpoint(db.pooled, { every }))?.made === true

/** Verifies the books every hour, counts overdue postings, and makes checkpoints. */
export const startVerification = (context: Context): Readonly<{ stop: () => Promise<void> }> => {
  const { log } = context
  const loops = [
    startLoop({
      name: 'verify-books',
      everyMs: VERIFY_EVERY_MS,
      restMs: REST_MS,
      log,
      run: () => runVerification(context),
    }),
    startLoop({
      name: 'overdue-postings',
      everyMs: COUNT_EVERY_MS,
      restMs: REST_MS,
      log,
      run: () => runOverdueCount(context),
    }),
    startLoop({
      name: 'checkpoints',
      everyMs: CHECKPOINT_LOOK_MS,
      restMs: REST_MS,
      log,
      run: () => runCheckpoint(context),
    }),
  ]
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
