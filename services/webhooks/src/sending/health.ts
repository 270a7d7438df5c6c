/**
 * A replica's observations of a destination. They decide how deliveries are sent, never whether: no destination is
 * disabled automatically.
 */
export type Health = Readonly<{
  /** Smoothed time of an exchange. */
  latencyMs: number
  /** Attempts in a row that brought no status line. */
  transportFailures: number
  /** Until when one delivery at a time is sent; 0 when not probing. */
  probeUntilMs: number
  /** True if anything was observed; until then its latency is a guess. */
  isKnown: boolean
}>

export const FRESH: Health = { latencyMs: 5, transportFailures: 0, probeUntilMs: 0, isKnown: false }

const FAILURES_BEFORE_PROBING = 5
const PROBING_MS = 60_000
const SMOOTHING = 0.2

/** After an exchange with a status line, of whatever value. */
export const afterAnswer = (health: Health, latencyMs: number): Health => ({
  latencyMs: health.latencyMs + SMOOTHING * (latencyMs - health.latencyMs),
  transportFailures: 0,
  probeUntilMs: 0,
  isKnown: true,
})

/** After an attempt without a status line. Five in a row begin a minute of probing. */
export const afterTransportFailure = (health: Health, latencyMs: number, nowMs: number): Health => {
  const transportFailures = health.transportFailures + 1
  const probes = transportFailures >= FAILURES_BEFORE_PROBING
  return {
    latencyMs: health.latencyMs + SMOOTHING * (latencyMs - health.latencyMs),
    transportFailures: probes ? 0 : transportFailures,
    probeUntilMs: probes ? nowMs + PROBING_MS : health.probeUntilMs,
    isKnown: true,
  }
}

/** After waiting this long without an answer; the next quick answers lower the latency again. */
export const afterStall = (health: Health, waitedMs: number): Health => ({
  ...health,
  latencyMs: Math.max(health.latencyMs, waitedMs),
  isKnown: true,
})

/**
 * Expected time of a delivery. Of thousands of destinations that nothing is known of, as after a restart, any may never
 * answer: they count as slow until their first answer.
 */
export const expectedCostMs = ({ isKnown, latencyMs }: Health, slowMs: number): number =>
  Math.max(latencyMs, isKnown ? 1 : slowMs)

export const isProbing = (health: Health, nowMs: number): boolean => health.probeUntilMs > nowMs

/** Checks whether deliveries may skip the queue of rows: no recent failure. */
export const isHealthy = (health: Health, nowMs: number): boolean =>
  health.transportFailures === 0 && !isProbing(health, nowMs)

/**
 * How many deliveries may be in memory for a destination so that the last of them is answered
 * within `waitMs` at the pace seen so far.
 */
export const capacityWithin = (health: Health, waitMs: number, connections: number): number =>
  Math.floor((waitMs / Math.max(health.latencyMs, 1)) * connections)
