import { RailError, type CardProcessor, type CardRefundPage } from '@causeway/rails'
import { afterFailure, afterPage, type ScanPosition } from './scan-position.ts'
import type { RunRecord } from './runs-store.ts'
import type { Comparison } from './compare.ts'
import { isSkippable } from './skippable.ts'

/** What was done of a run: where it stands, and what was compared on the way there. */
export type Step = Readonly<{ position: ScanPosition; counts: readonly [compared: number, recorded: number] }>

/** What comes after the end of a stretch that is cut off is the next run's. */
const REST_MS = 1_000

const positionOf = ({ windows, since, cursor, leftOut }: RunRecord): ScanPosition => ({
  windows: windows ?? [{ sinceMs: since.getTime(), untilMs: null }],
  cursor,
  leftOut,
})

const readPage = async (processor: CardProcessor, position: ScanPosition): Promise<CardRefundPage> => {
  const [window] = position.windows
  if (!window) throw new Error('The list of refunds is read to its end')
  const since = new Date(window.sinceMs)
  const until = window.untilMs === null ? null : new Date(window.untilMs)
  const page = await processor.refundsSince({ since, until, cursor: position.cursor })
  if (page.next !== null && page.next === position.cursor)
    throw new Error('The list of refunds does not go on')
  return page
}

/** A position that the processor takes no more, after a long pause, is given up: the stretch is read anew. */
const readOn = async (processor: CardProcessor, position: ScanPosition): Promise<CardRefundPage> => {
  try {
    return await readPage(processor, position)
  } catch (error) {
    const isRefused = error instanceof RailError && error.failure === 'refused'
    if (position.cursor === null || !isRefused) throw error
    return readPage(processor, { ...position, cursor: null })
  }
}

/**
 * Reads and compares the next page of a run. One that keeps failing while the processor tells the rest is cut in two,
 * and left out once it is too short for that.
 * @param isPatient whether what fails is tried again later first
 */
export const readList = async (
  {
    processor,
    comparison,
  }: Readonly<{ processor: CardProcessor; comparison: Pick<Comparison, 'compareAll'> }>,
  run: RunRecord,
  isPatient: boolean,
): Promise<Step> => {
  const position = positionOf(run)
  let page: CardRefundPage
  try {
    page = await readOn(processor, position)
  } catch (error) {
    // What was cut has been looked into: the rest of it is not waited for again.
    if (isPatient && run.windows === null) throw error
    if (!(await isSkippable(processor, run.since, error))) throw error
    return { position: afterFailure(position, run.coversUntil.getTime() + REST_MS), counts: [0, 0] }
  }
  const recorded = await comparison.compareAll(run.processor, page.refunds)
  return { position: afterPage(position, page.next), counts: [page.refunds.length, recorded] }
}
