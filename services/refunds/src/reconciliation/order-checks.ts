import type { Db } from '@causeway/chassis'
import type { CardProcessor } from '@causeway/rails/cards'
import type { Comparison } from './compare-refunds.ts'
import { listUnfound } from './compared-refunds-store.ts'
import { listUnchecked } from './differences-store.ts'
import type { RunRecord } from './runs-store.ts'
import type { SkippedPart } from './scan-position.ts'
import { isSkippable } from './skippable.ts'

const UNFOUND_PAGE = 50
/** Differences that one run checks again at most; those that were not checked for longest come first. */
const MAX_RECHECKED = 100

type OrderCheckDependencies = Readonly<{
  db: Db
  comparison: Pick<Comparison, 'checkUnfound' | 'recheck'>
  /** Stores what is skipped; null when another replica has taken over. */
  skip: (run: RunRecord, parts: readonly SkippedPart[]) => Promise<RunRecord | null>
}>

/** `maySkip`: a part that fails is skipped if its processor answers otherwise; else the failure ends the turn. */
export type Turn = Readonly<{ processor: CardProcessor; signal: AbortSignal; maySkip: boolean }>

/** Checks one order. @returns the order when it is skipped: its payment's list fails while the processor answers */
const checkOrder = async (
  run: RunRecord,
  { processor, maySkip }: Turn,
  { orderKey, check }: Readonly<{ orderKey: string | null; check: () => Promise<void> }>,
): Promise<readonly SkippedPart[]> => {
  try {
    await check()
    return []
  } catch (error) {
    if (!maySkip && run.skipped.length === 0) throw error
    if (!(await isSkippable(processor, run.since, error))) throw error
    return [{ orderKey }]
  }
}

/** Creates the checks of single orders that a run makes after it read the processor's list. */
export const createOrderChecks = ({ db, comparison, skip }: OrderCheckDependencies) => ({
  /** Looks up the refunds of ours that no list has shown: each is found, becomes a difference, or is skipped. */
  checkUnfound: async (begun: RunRecord, turn: Turn): Promise<RunRecord | null> => {
    const skippedIds: string[] = []
    let run: RunRecord | null = begun
    while (run && !turn.signal.aborted) {
      const unfound = await listUnfound(db, {
        processor: run.processor,
        madeBefore: run.startedAt,
        limit: UNFOUND_PAGE,
        skippedIds,
      })
      if (unfound.length === 0) return run
      const parts: SkippedPart[] = []
      for (const refund of unfound) {
        const { orderKey, id } = refund
        const check = () => comparison.checkUnfound(refund)
        const skipped = await checkOrder(run, turn, { orderKey, check })
        if (skipped.length > 0) skippedIds.push(id)
        parts.push(...skipped)
      }
      run = await skip(run, parts)
    }
    return null
  },

  /** Checks the open differences again that the run has not come to. */
  recheckDifferences: async (run: RunRecord, turn: Turn): Promise<RunRecord | null> => {
    const parts: SkippedPart[] = []
    const { processor, startedAt: since } = run
    for (const difference of await listUnchecked(db, { processor, since, limit: MAX_RECHECKED })) {
      const { orderKey } = difference
      const check = () => comparison.recheck(difference)
      parts.push(...(await checkOrder(run, turn, { orderKey, check })))
    }
    return parts.length === 0 ? run : skip(run, parts)
  },
})
