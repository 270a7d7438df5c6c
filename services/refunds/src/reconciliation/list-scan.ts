import { RailError, type CardProcessor, type CardRefundPage } from '@causeway/rails'
import { afterFailure, afterPage, type ListPlace } from './scan-position.ts'
import type { RunRecord } from './runs-store.ts'
import type { Comparing } from './compare.ts'
import { isPassedOver } from './skippable.ts'

/** What was done of a run: where it stands, and what was compared on the way there. */
export type Step = Readonly<{ place: ListPlace; counts: readonly [compared: number, recorded: number] }>

/** What comes after the end of a stretch that is cut off is the next run's. */
const REST_MS = 1_000

const placeOf = ({ windows, since, cursor, leftOut }: RunRecord): ListPlace => ({
  windows: windows ?? [{ sinceMs: since.getTime(), untilMs: null }],
  cursor,
  leftOut,
})

const readPage = async (processor: CardProcessor, place: ListPlace): Promise<CardRefundPage> => {
  const [window] = place.windows
  if (!window) throw new Error('The list of refunds is read to its end')
  const since = new Date(window.sinceMs)
  const until = window.untilMs === null ? null : new Date(window.untilMs)
  const page = await processor.refundsSince({ since, until, cursor: place.cursor })
  if (page.next !== null && page.next === place.cursor) throw new Error('The list of refunds does not go on')
  return page
}

/** A place that the processor takes no more, after a long pause, is given up: the stretch is read anew. */
const readOn = async (processor: CardProcessor, place: ListPlace): Promise<CardRefundPage> => {
  try {
    return await readPage(processor, place)
  } catch (error) {
    const isRefused = error instanceof RailError && error.failure === 'refused'
    if (place.cursor === null || !isRefused) throw error
    return readPage(processor, { ...place, cursor: null })
  }
}

/**
 * Reads and compares the next page of a run. One that keeps failing while the processor tells the rest is cut in two,
 * and left out once it is too short for that.
 * @param isPatient whether what fails is tried again later first
 */
export const readList = async (
  { processor, comparing }: Readonly<{ processor: CardProcessor; comparing: Pick<Comparing, 'compareAll'> }>,
  run: RunRecord,
  isPatient: boolean,
): Promise<Step> => {
  const place = placeOf(run)
  let page: CardRefundPage
  try {
    page = await readOn(processor, place)
  } catch (error) {
    // What was cut has been looked into: the rest of it is not waited for again.
    if (isPatient && run.windows === null) throw error
    if (!(await isPassedOver(processor, run.since, error))) throw error
    return { place: afterFailure(place, run.coversUntil.getTime() + REST_MS), counts: [0, 0] }
  }
  const recorded = await comparing.compareAll(run.processor, page.refunds)
  return { place: afterPage(place, page.next), counts: [page.refunds.length, recorded] }
}
