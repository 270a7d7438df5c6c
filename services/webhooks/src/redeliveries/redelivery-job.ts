import { newIdAt, startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import type { Engine } from '../engine/engine.ts'
import { advanceRedelivery, takeRedeliveries } from './store.ts'

/** The unit of the pace; a redelivery has its turn once in it, on whichever replica. */
const TURN_MS = 1_000
const EVERY_MS = 500
const REST_MS = 50
/** Redeliveries that one replica goes on with at a time. */
const AT_ONCE = 20
/** With so many due behind first attempts, a receiver is given time: the rest waits here, where it costs nothing. */
const MOST_WAITING = 1_000
/** Events that one statement looks at, and statements a turn: a filter that few events pass is got through quickly. */
const LOOKED_AT = 2_000
const STATEMENTS = 20

type Options = Readonly<{
  context: Pick<ServiceContext, 'db' | 'clock' | 'log'>
  engine: Pick<Engine, 'due'>
  eventRetentionMs: number
}>

/**
 * Sends events again in bulk, at each redelivery's pace. How far one has come is in its row: any replica goes on with
 * it, and a restart loses and repeats nothing. What it makes due is claimed behind first attempts.
 */
export const startRedeliverer = ({
  context: { db, clock, log },
  engine,
  eventRetentionMs,
}: Options): Loop => {
  type Taken = Awaited<ReturnType<typeof take>>[number]
  const take = (now: Date) =>
    db.apart.query(takeRedeliveries, [now, new Date(now.getTime() + TURN_MS), AT_ONCE, MOST_WAITING])

  const goOn = async (taken: Taken, now: Date): Promise<void> => {
    const oldest = new Date(now.getTime() - eventRetentionMs)
    let left = Math.min(taken.per_second, MOST_WAITING - taken.waiting)
    for (let count = 0; count < STATEMENTS && left > 0; count += 1) {
      const ids = Array.from({ length: left }, () => newIdAt('delivery', now.getTime()))
      const [come] = await db.apart.query(advanceRedelivery, [taken.id, now, LOOKED_AT, ids, oldest])
      if (come && come.sent > 0) engine.due(taken.destination_id)
      if (!come?.goes_on) return
      left -= come.sent
    }
  }

  return startLoop({
    name: 'redeliverer',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    async run() {
      const now = clock.now()
      const taken = await take(now)
      await Promise.all(taken.map((one) => goOn(one, now)))
    },
  })
}
