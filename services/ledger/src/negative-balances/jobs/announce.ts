import { startLoop, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import { followJournal } from '../../posting/follow-journal.ts'
import { negativeEvent } from '../events.ts'
import * as store from '../store.ts'

const EVERY_MS = 1_000
/** Postings of one transaction. */
const BATCH = 1_000n

type Context = Readonly<{ db: Db; clock: Pick<Clock, 'now'> }>

/**
 * Announces available balances that fell below zero, each crossing once.
 * @returns whether there may be more
 */
export const announceNegativeBalances = ({ db, clock }: Context): Promise<boolean> =>
  followJournal(db, {
    position: store.POSITION,
    batch: BATCH,
    async handle(tx, span) {
      const now = clock.now()
      for (const row of await store.listCrossings(tx, span)) tx.emit(negativeEvent(row, now))
    },
  })

/** Announces negative balances within seconds. */
export const startAnnouncingNegatives = ({ log, ...context }: Context & Readonly<{ log: Logger }>): Loop =>
  startLoop({
    name: 'announce-negative-balances',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: () => announceNegativeBalances(context),
  })
