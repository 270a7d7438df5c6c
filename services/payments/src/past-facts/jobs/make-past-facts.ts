import { startLoop, type Loop, type ServiceContext } from '@causeway/chassis'
import { createPastFacts, type PastSource } from '../past-facts.ts'
import { insertProgress } from '../store.ts'

const EVERY_MS = 60_000
/** By then no replica of the version before runs, which records movements without their facts. */
const FIRST_AFTER_MS = 3_600_000

/** Makes the facts of rows that are older than the ledger, once, an hour after the first start of this version. */
export const startPastFacts = async (
  context: ServiceContext,
  sources: readonly PastSource[],
): Promise<Loop> => {
  const { db, clock, log } = context
  await insertProgress(db, { dueAt: new Date(clock.nowMs() + FIRST_AFTER_MS) })
  return startLoop({
    name: 'past-facts',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: createPastFacts(context, sources),
  })
}
