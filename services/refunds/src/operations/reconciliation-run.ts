import type { Clock, Db } from '@causeway/chassis'
import { RailError, type CardProcessor, type CardRefundPage } from '@causeway/rails'
import { unfound } from '../store/compared-refunds.ts'
import * as store from '../store/reconciliation-runs.ts'
import { unchecked } from '../store/refund-differences.ts'
import type { Comparing } from './comparing.ts'

const UNFOUND_PAGE = 50
/** So many differences are looked at again in one run, those first that waited longest. */
const MOST_AGAIN = 100

type Run = store.RunRecord

type Parts = Readonly<{
  db: Db
  clock: Clock
  comparing: Comparing
  lease: Readonly<{ holder: string; ms: number }>
}>

/**
 * Carries a run on from where it was left: the processor's list page by page, then what of ours it has not told, then
 * the differences that it did not reach. Memory holds one page; after each the run's place is written down.
 * @returns the finished run; null when it was broken off or another replica has taken over
 */
export const createReconciliationRun = ({ db, clock, comparing, lease }: Parts) => {
  const advance = async (run: Run, cursor: string | null, isListed: boolean, counts: [number, number]) => {
    const until = new Date(clock.nowMs() + lease.ms)
    const [moved] = await db.query(store.advance, [run.id, lease.holder, cursor, isListed, ...counts, until])
    return moved ?? null
  }

  /** A place that the processor takes no more, after a long pause, is given up: the list is read anew. */
  const readOn = async (processor: CardProcessor, { since, cursor }: Run): Promise<CardRefundPage> => {
    try {
      return await processor.refundsSince({ since, cursor })
    } catch (error) {
      const isRefused = error instanceof RailError && error.failure === 'refused'
      if (cursor === null || !isRefused) throw error
      return processor.refundsSince({ since, cursor: null })
    }
  }

  const list = async (processor: CardProcessor, begun: Run, signal: AbortSignal): Promise<Run | null> => {
    let run: Run | null = begun
    while (run && !run.isListed) {
      if (signal.aborted) return null
      const { since, cursor } = run
      const page =
        run === begun ? await readOn(processor, run) : await processor.refundsSince({ since, cursor })
      if (page.next !== null && page.next === cursor) throw new Error('The list of refunds does not go on')
      const recorded = await comparing.compareAll(run.processor, page.refunds)
      run = await advance(run, page.next, page.next === null, [page.refunds.length, recorded])
    }
    return run
  }

  /** Ends: each of a page is found, or becomes a difference. */
  const lookForUnfound = async (begun: Run, signal: AbortSignal): Promise<Run | null> => {
    for (let run: Run | null = begun; run && !signal.aborted; run = await advance(run, null, true, [0, 0])) {
      const missing = await db.query(unfound, [run.processor, run.startedAt, UNFOUND_PAGE])
      if (missing.length === 0) return run
      for (const refund of missing) await comparing.lookFor(refund)
    }
    return null
  }

  const lookAgain = async (run: Run): Promise<void> => {
    for (const difference of await db.query(unchecked, [run.processor, run.startedAt, MOST_AGAIN]))
      await comparing.lookAgain(difference)
  }

  return async (processor: CardProcessor, begun: Run, signal: AbortSignal): Promise<Run | null> => {
    const listed = await list(processor, begun, signal)
    const complete = listed && (await lookForUnfound(listed, signal))
    if (!complete) return null
    await lookAgain(complete)
    const [finished] = await db.query(store.finish, [complete.id, lease.holder, clock.now()])
    if (!finished) return null
    await db.query(store.forgetBefore, [finished.processor, finished.id, finished.isDeep])
    return finished
  }
}
