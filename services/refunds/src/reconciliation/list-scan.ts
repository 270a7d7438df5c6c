import { RailError } from '@causeway/rails'
import type { CardProcessor, CardRefundPage } from '@causeway/rails/cards'
import type { Comparison } from './compare-refunds.ts'
import type { RunRecord } from './runs-store.ts'
import { afterFailure, afterPage, type ScanPosition } from './scan-position.ts'
import { isSkippable } from './skippable.ts'

/** Result of one page: the position after it, and the numbers of compared and recorded refunds. */
export type Progress = Readonly<{ position: ScanPosition; compared: number; recorded: number }>

/** How far past its coverage a run reads a window that is cut off; what comes later belongs to the next run. */
const MARGIN_MS = 1_000

const positionOf = ({ windows, since, cursor, skipped }: RunRecord): ScanPosition => ({
  windows: windows ?? [{ sinceMs: since.getTime(), untilMs: null }],
  cursor,
  skipped,
})

const readPage = async (processor: CardProcessor, position: ScanPosition): Promise<CardRefundPage> => {
  const [window] = position.windows
  if (!window) throw new Error('The list of refunds has already been read to its end')
  const since = new Date(window.sinceMs)
  const until = window.untilMs === null ? null : new Date(window.untilMs)
  const page = await processor.refundsSince({ since, until, cursor: position.cursor })
  if (page.next !== null && page.next === position.cursor)
    throw new Error('The list of refunds does not advance: its next cursor equals the current one')
  return page
}

/** A cursor that the processor refuses, as after a long pause, is dropped: the window is read from its beginning. */
const readPageOrRestart = async (
  processor: CardProcessor,
  position: ScanPosition,
): Promise<CardRefundPage> => {
  try {
    return await readPage(processor, position)
  } catch (error) {
    const isRefused = error instanceof RailError && error.failure === 'refused'
    if (position.cursor === null || !isRefused) throw error
    return readPage(processor, { ...position, cursor: null })
  }
}

/**
 * Reads and compares the next page of a run. The window of a page that keeps failing while the processor answers
 * otherwise is bisected, and skipped once it is a second long.
 * @param maySkip whether that begins now; else the failure is thrown, and the next turn retries
 */
export const readNextPage = async (
  {
    processor,
    comparison,
  }: Readonly<{ processor: CardProcessor; comparison: Pick<Comparison, 'compareAll'> }>,
  run: RunRecord,
  maySkip: boolean,
): Promise<Progress> => {
  const position = positionOf(run)
  let page: CardRefundPage
  try {
    page = await readPageOrRestart(processor, position)
  } catch (error) {
    // A run that bisects already does not wait for further failed turns.
    if (!maySkip && run.windows === null) throw error
    if (!(await isSkippable(processor, run.since, error))) throw error
    const endMs = run.coversUntil.getTime() + MARGIN_MS
    return { position: afterFailure(position, endMs), compared: 0, recorded: 0 }
  }
  const recorded = await comparison.compareAll(run.processor, page.refunds)
  return { position: afterPage(position, page.next), compared: page.refunds.length, recorded }
}
