import type { Clock, Db } from '@causeway/chassis'
import type { CardProcessor } from '@causeway/rails'
import type { SkippedPart } from './scan-position.ts'
import { listUnfound } from './compared-refunds-store.ts'
import * as store from './runs-store.ts'
import { listUnchecked } from './differences-store.ts'
import type { Comparison } from './compare.ts'
import { readList, type Step } from './list-scan.ts'
import { isSkippable } from './skippable.ts'

const UNFOUND_PAGE = 50
/** So many differences are looked at again in one run, those first that waited longest. */
const MOST_AGAIN = 100

type Run = store.RunRecord

type Parts = Readonly<{
  db: Db
  clock: Clock
  comparison: Comparison
  lease: Readonly<{ holder: string; ms: number }>
}>

/** `isPatient`: what fails is tried again later; else the processor is asked whether it fails there alone. */
export type Turn = Readonly<{ processor: CardProcessor; signal: AbortSignal; isPatient: boolean }>

/** Looks at one order. @returns what is left out, because its payment's list fails and the processor tells the rest */
const tryOrder = async (
  run: Run,
  { processor, isPatient }: Turn,
  { orderKey, look }: Readonly<{ orderKey: string | null; look: () => Promise<void> }>,
): Promise<readonly SkippedPart[]> => {
  try {
    await look()
    return []
  } catch (error) {
    if (isPatient && run.leftOut.length === 0) throw error
    if (!(await isSkippable(processor, run.since, error))) throw error
    return [{ orderKey }]
  }
}

/**
 * Carries a run on from where it was left: the processor's list page by page, then what of ours it has not told, then
 * the differences that it did not reach. Memory holds one page; after each the run's position is written down. A position
 * that keeps failing while the processor tells the rest is left out, and said to be.
 * @returns the finished run; null when it was broken off or another replica has taken over
 */
export const createReconciliationRun = ({ db, clock, comparison, lease }: Parts) => {
  const advance = async (run: Run, { position, counts }: Step): Promise<Run | null> => {
    const until = new Date(clock.nowMs() + lease.ms)
    const isListed = position.windows.length === 0
    // A list that is read as one stays so until it is cut.
    const isOne = run.windows === null && position.windows.length <= 1 && position.leftOut === run.leftOut
    const windows = isOne ? null : JSON.stringify(position.windows)
    const [compared, recorded] = counts
    return store.advanceRun(db, {
      runId: run.id,
      holder: lease.holder,
      cursor: position.cursor,
      isListed,
      compared,
      recorded,
      leaseUntil: until,
      windows,
      leftOut: JSON.stringify(position.leftOut),
    })
  }

  const list = async (begun: Run, { processor, signal, isPatient }: Turn): Promise<Run | null> => {
    let run: Run | null = begun
    while (run && !run.isListed) {
      if (signal.aborted) return null
      run = await advance(run, await readList({ processor, comparison }, run, isPatient))
    }
    return run
  }

  const leaveOut = (run: Run, failed: readonly SkippedPart[]): Promise<Run | null> =>
    advance(run, {
      position: { windows: [], cursor: null, leftOut: [...run.leftOut, ...failed] },
      counts: [0, 0],
    })

  /** Ends: each of a page is found, becomes a difference, or is left out. */
  const lookForUnfound = async (begun: Run, turn: Turn): Promise<Run | null> => {
    const skipped: string[] = []
    let run: Run | null = begun
    while (run && !turn.signal.aborted) {
      const missing = await listUnfound(db, {
        processor: run.processor,
        madeBefore: run.startedAt,
        limit: UNFOUND_PAGE,
        skippedIds: skipped,
      })
      if (missing.length === 0) return run
      const failed: SkippedPart[] = []
      for (const refund of missing) {
        const { orderKey, id } = refund
        const left = await tryOrder(run, turn, { orderKey, look: () => comparison.lookFor(refund) })
        if (left.length > 0) skipped.push(id)
        failed.push(...left)
      }
      run = await leaveOut(run, failed)
    }
    return null
  }

  const lookAgain = async (run: Run, turn: Turn): Promise<Run | null> => {
    const failed: SkippedPart[] = []
    const { processor, startedAt: since } = run
    for (const difference of await listUnchecked(db, { processor, since, limit: MOST_AGAIN })) {
      const { orderKey } = difference
      failed.push(...(await tryOrder(run, turn, { orderKey, look: () => comparison.lookAgain(difference) })))
    }
    return failed.length === 0 ? run : leaveOut(run, failed)
  }

  return async (begun: Run, turn: Turn): Promise<Run | null> => {
    const listed = await list(begun, turn)
    const complete = listed && (await lookForUnfound(listed, turn))
    const checked = complete && (await lookAgain(complete, turn))
    if (!checked) return null
    const finished = await store.finishRun(db, { runId: checked.id, holder: lease.holder, now: clock.now() })
    if (!finished) return null
    const { processor, id: runId, isDeep } = finished
    await store.purgeRunsBefore(db, { processor, runId, isDeep })
    return finished
  }
}
