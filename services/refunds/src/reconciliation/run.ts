import type { Clock, Db } from '@causeway/chassis'
import type { Comparison } from './compare-refunds.ts'
import { readNextPage, type Progress } from './list-scan.ts'
import { createOrderChecks, type Turn } from './order-checks.ts'
import * as store from './runs-store.ts'
import type { SkippedPart } from './scan-position.ts'

type Run = store.RunRecord
export type RunLease = Readonly<{ holder: string; ms: number }>

type RunDependencies = Readonly<{
  db: Db
  clock: Clock
  comparison: Comparison
  lease: RunLease
}>

/**
 * Continues a run from its stored position: the processor's list page by page, then the refunds of ours that it did not
 * show, then the open differences that it did not reach. Memory holds one page, and the position is stored after each.
 * @returns the finished run; null when it was stopped or another replica has taken over
 */
export const createReconciliationRun = ({ db, clock, comparison, lease }: RunDependencies) => {
  const advance = async (run: Run, { position, compared, recorded }: Progress): Promise<Run | null> => {
    // A list that is read as one window stays so until a page of it fails.
    const isOne = run.windows === null && position.windows.length <= 1 && position.skipped === run.skipped
    return store.advanceRun(db, {
      runId: run.id,
      holder: lease.holder,
      cursor: position.cursor,
      isListed: position.windows.length === 0,
      compared,
      recorded,
      leaseUntil: new Date(clock.nowMs() + lease.ms),
      windows: isOne ? null : JSON.stringify(position.windows),
      skipped: JSON.stringify(position.skipped),
    })
  }

  /** Stores what the checks of single orders skip, once the list was read to its end. */
  const skip = (run: Run, parts: readonly SkippedPart[]): Promise<Run | null> => {
    const position = { windows: [], cursor: null, skipped: [...run.skipped, ...parts] }
    return advance(run, { position, compared: 0, recorded: 0 })
  }
  const { checkUnfound, recheckDifferences } = createOrderChecks({ db, comparison, skip })

  const readList = async (begun: Run, { processor, signal, maySkip }: Turn): Promise<Run | null> => {
    let run: Run | null = begun
    while (run && !run.isListed) {
      if (signal.aborted) return null
      run = await advance(run, await readNextPage({ processor, comparison }, run, maySkip))
    }
    return run
  }

  return async (begun: Run, turn: Turn): Promise<Run | null> => {
    const listed = await readList(begun, turn)
    const complete = listed && (await checkUnfound(listed, turn))
    const checked = complete && (await recheckDifferences(complete, turn))
    if (!checked) return null
    const finished = await store.finishRun(db, { runId: checked.id, holder: lease.holder, now: clock.now() })
    if (!finished) return null
    const { processor, id: runId, isDeep } = finished
    await store.purgeRunsBefore(db, { processor, runId, isDeep })
    return finished
  }
}
