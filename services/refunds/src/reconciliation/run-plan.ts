/** The runs with a processor so far; null before the first of a kind. */
export type PastRuns = Readonly<{
  startedAt: Date | null
  coversUntil: Date | null
  deepStartedAt: Date | null
}>

export type ReconciliationSchedule = Readonly<{
  /** Between the beginnings of two runs. */
  everyMs: number
  /** How far a run reads back behind the one before: more than clocks differ and lists are delayed. */
  overlapMs: number
  /** How far the daily deep run reads back: as long as a refund's state can change. */
  depthMs: number
}>

/** A run that is to begin. */
export type PlannedRun = Readonly<{ since: Date; isDeep: boolean }>

const DEEP_EVERY_MS = 24 * 3_600_000
const msOf = (time: Date | null): number => time?.getTime() ?? 0

/**
 * The run that is due, or null. The first reads the whole list; later ones what was made since the one before, and once
 * a day everything whose state may still have changed.
 * @param outside the time as processors have it
 */
export const planRun = (
  past: PastRuns,
  { now, outside }: Readonly<{ now: Date; outside: Date }>,
  { everyMs, overlapMs, depthMs }: ReconciliationSchedule,
): PlannedRun | null => {
  if (past.startedAt !== null && now.getTime() - past.startedAt.getTime() < everyMs) return null
  if (past.deepStartedAt === null) return { since: new Date(0), isDeep: true }
  const latestMs = Math.max(msOf(past.coversUntil) - overlapMs, 0)
  const isDeep = now.getTime() - past.deepStartedAt.getTime() >= DEEP_EVERY_MS
  const sinceMs = isDeep ? Math.min(Math.max(outside.getTime() - depthMs, 0), latestMs) : latestMs
  return { since: new Date(sinceMs), isDeep }
}
