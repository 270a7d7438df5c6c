import { z } from 'zod'

/** A range of a processor's time, in milliseconds since 1970; without an end it goes up to now. */
export const Window = z.object({ sinceMs: z.number(), untilMs: z.number().nullable() })
export type Window = Readonly<z.infer<typeof Window>>

/** A part that a run could not read: a window of the processor's list, or the list of one order's payment. */
export const SkippedPart = z.union([Window, z.object({ orderKey: z.string().nullable() })])
export type SkippedPart = Readonly<z.infer<typeof SkippedPart>>

/** How far a processor's list was read. */
export type ScanPosition = Readonly<{
  /** Still to be read; the first is in progress. */
  windows: readonly Window[]
  /** Where the next page of the first window begins; null: at its beginning. */
  cursor: string | null
  skipped: readonly SkippedPart[]
}>

/** Processors date refunds to the second: a failing window is not bisected further. */
const MIN_WINDOW_MS = 1_000

const isWindow = (part: SkippedPart): part is Window => 'sinceMs' in part

/**
 * Returns the windows of a new run: everything since a time, and each window that the previous run skipped separately, so that
 * those which still fail do not delay others. Null if no window was skipped: the list is read as one window.
 */
export const windowsFrom = (sinceMs: number, skipped: readonly SkippedPart[]): readonly Window[] | null => {
  const retried = skipped.filter(isWindow).sort((a, b) => a.sinceMs - b.sinceMs)
  if (retried.length === 0) return null
  const windows: Window[] = []
  let fromMs = sinceMs
  for (const window of retried) {
    if (window.sinceMs > fromMs) windows.push({ sinceMs: fromMs, untilMs: window.sinceMs })
    windows.push(window)
    fromMs = Math.max(fromMs, window.untilMs ?? fromMs)
  }
  return [...windows, { sinceMs: fromMs, untilMs: null }]
}

/** The position after a page was read. @param next where the next page begins; null after the last */
export const afterPage = (position: ScanPosition, next: string | null): ScanPosition =>
  next === null
    ? { ...position, windows: position.windows.slice(1), cursor: null }
    : { ...position, cursor: next }

/**
 * The position after a page that keeps failing: its window is bisected, so that what fails is found; a window of one
 * second is skipped.
 * @param endMs where a window without an end is cut off: what comes later belongs to the next run
 */
export const afterFailure = ({ windows, skipped }: ScanPosition, endMs: number): ScanPosition => {
  const [failing, ...rest] = windows
  if (failing === undefined) throw new Error('The list of refunds has already been read to its end')
  const { sinceMs } = failing
  const untilMs = failing.untilMs ?? Math.max(endMs, sinceMs + MIN_WINDOW_MS)
  if (untilMs - sinceMs <= MIN_WINDOW_MS)
    return { windows: rest, cursor: null, skipped: [...skipped, { sinceMs, untilMs }] }
  const seconds = Math.ceil((untilMs - sinceMs) / MIN_WINDOW_MS / 2)
  const middleMs = sinceMs + seconds * MIN_WINDOW_MS
  const halves = [
    { sinceMs, untilMs: middleMs },
    { sinceMs: middleMs, untilMs },
  ]
  return { windows: [...halves, ...rest], cursor: null, skipped }
}
