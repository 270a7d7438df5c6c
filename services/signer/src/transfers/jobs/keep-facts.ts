import { appendFacts, startLoop, type KeylessServiceContext, type Loop } from '@causeway/chassis'
import { factsOfSweep } from '../facts.ts'
import { lockWithoutFacts, markFactsKept } from '../store.ts'

const EVERY_MS = 60_000
const PAGE = 100

/**
 * Keeps the missing facts of sweeps whose steps a version without facts has made, before the upgrade or during it. It may
 * be interrupted anywhere, and repeated: facts that are known are left as they are.
 * @returns whether there may be more
 */
export const createFactKeeping =
  ({ db }: Pick<KeylessServiceContext, 'db'>) =>
  (): Promise<boolean> =>
    db.transaction(async (tx) => {
      const sweeps = await lockWithoutFacts(tx, { limit: PAGE })
      if (sweeps.length === 0) return false
      await appendFacts(tx, 'signer', sweeps.flatMap(factsOfSweep))
      await markFactsKept(tx, { ids: sweeps.map(({ id }) => id) })
      return sweeps.length === PAGE
    })

export const startFactKeeping = (context: KeylessServiceContext): Loop =>
  startLoop({
    name: 'keep-facts',
    everyMs: EVERY_MS,
    restMs: 0,
    log: context.log,
    run: createFactKeeping(context),
  })
