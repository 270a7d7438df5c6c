import { z } from 'zod'

/** A stretch of a processor's time, in milliseconds since 1970; without an end up to now. */
export const Window = z.object({ sinceMs: z.number(), untilMs: z.number().nullable() })
export type Window = Readonly<z.infer<typeof Window>>

/** What a run could not read: a stretch of the processor's list, or the list of one order's payment. */
export const SkippedPart = z.union([Window, z.object({ orderKey: z.string().nullable() })])
export type SkippedPart = Readonly<z.infer<typeof SkippedPart>>

/** How far a processor's list was read. */
export type ScanPosition = Readonly<{
  /** Still to be read, the one under way first. */
  windows: readonly Window[]
  /** Where in that one; null: at its beginning. */
  cursor: string | null
  leftOut: readonly SkippedPart[]
}>

/** Processors date refunds to the second: a failing stretch is not cut finer. */
const FINEST_MS = 1_000

const isWindow = (left: SkippedPart): left is Window => 'sinceMs' in left

/**
 * What a new run reads: all since a time, and stretches that the run before had to leave out, each by itself so that
 * those which still fail hold up nothing. Null where nothing was left out: the list is read as one.
 */
export const windowsFrom = (sinceMs: number, leftOut: readonly SkippedPart[]): readonly Window[] | null => {
  const known = leftOut.filter(isWindow).sort((a, b) => a.sinceMs - b.sinceMs)
  if (known.length === 0) return null
  const windows: Window[] = []
  let fromMs = sinceMs
  for (const window of known) {
    if (window.sinceMs > fromMs) windows.push({ sinceMs: fromMs, untilMs: window.sinceMs })
    windows.push(window)
    fromMs = Math.max(fromMs, window.untilMs ?? fromMs)
  }
  return [...windows, { sinceMs: fromMs, untilMs: null }]
}

/** After a page was read. @param next where the next one begins; null after the last */
export const afterPage = (position: ScanPosition, next: string | null): ScanPosition =>
  next === null
    ? { ...position, windows: position.windows.slice(1), cursor: null }
    : { ...position, cursor: next }

/**
 * After a page that keeps failing: its stretch is read in two halves, so that what fails is found between them; one
 * that is too short for that is left out.
 * @param endMs where a stretch without an end is cut off: what comes later is the next run's
 */
export const afterFailure = ({ windows, leftOut }: ScanPosition, endMs: number): ScanPosition => {
  const [failing, ...rest] = windows
  if (failing === undefined) throw new Error('There is nothing left to be read')
  const { sinceMs } = failing
  const untilMs = failing.untilMs ?? Math.max(endMs, sinceMs + FINEST_MS)
  if (untilMs - sinceMs <= FINEST_MS)
    return { windows: rest, cursor: null, leftOut: [...leftOut, { sinceMs, untilMs }] }
  const seconds = Math.ceil((untilMs - sinceMs) / FINEST_MS / 2)
  const middleMs = sinceMs + seconds * FINEST_MS
  const halves = [
    { sinceMs, untilMs: middleMs },
    { sinceMs: middleMs, untilMs },
  ]
  return { windows: [...halves, ...rest], cursor: null, leftOut }
}
