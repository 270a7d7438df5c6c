import { startLoop, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import { negativeEvent } from '../events.ts'
import * as store from '../store.ts'

const EVERY_MS = 1_000
/** Postings of one transaction. */
const BATCH = 1_000n

type Context = Readonly<{ db: Db; clock: Pick<Clock, 'now'> }>

/**
 * Announces available balances that fell below zero. It follows the journal in order; the position and the events are
 * written in one transaction, so that each crossing is announced exactly once. A number in the journal has no later one
 * committed before it, so none is skipped.
 * @returns whether there may be more
 */
export const announceNegativeBalances = async ({ db, clock }: Context): Promise<boolean> => {
  const seen = await store.readPosition(db.pooled)
  if (seen === null || BigInt(seen.through) >= BigInt(seen.end)) return false
  return db.transaction(async (tx) => {
    const locked = await store.lockPosition(tx)
    if (locked === null) return false
    const [after, end] = [BigInt(locked.through), BigInt(seen.end)]
    // Another replica has examined these postings meanwhile.
    if (after >= end) return false
    const through = after + BATCH < end ? after + BATCH : end
    const now = clock.now()
    for (const row of await store.listCrossings(tx, { after, through })) tx.emit(negativeEvent(row, now))
    await store.setPosition(tx, { through })
    return through < end
  })
}

/** Announces negative balances within seconds. */
export const startAnnouncingNegatives = ({ log, ...context }: Context & Readonly<{ log: Logger }>): Loop =>
  startLoop({
    name: 'announce-negative-balances',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: () => announceNegativeBalances(context),
  })
