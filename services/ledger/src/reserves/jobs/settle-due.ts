import { startLoop, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import { settlePage } from '../settle.ts'
import { listDue } from '../store.ts'

const EVERY_MS = 1_000
/** Accounts of one read. */
const BATCH = 100

type Context = Readonly<{ db: Db; clock: Pick<Clock, 'now'> }>

/**
 * Holds and releases what plans ask for, account by account, a page in each transaction. Replicas may run it simultaneously:
 * the end of the journal is locked while a page is settled.
 * @returns whether there may be more
 */
export const settleDueReserves = async ({ db, clock }: Context): Promise<boolean> => {
  const due = await listDue(db.pooled, { now: clock.now(), limit: BATCH })
  for (const account of due)
    while (await db.transaction((tx) => settlePage(tx, account, clock.now()))) continue
  return due.length === BATCH
}

/** Settles reserves within seconds of a posting, a new plan or a day that is over. */
export const startSettlingReserves = ({ log, ...context }: Context & Readonly<{ log: Logger }>): Loop =>
  startLoop({
    name: 'settle-reserves',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: () => settleDueReserves(context),
  })
