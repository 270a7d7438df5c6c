/** Readings of the other clock; the fastest is used, because it is the most exact. */
const READINGS = 3

const localMs = (): number => performance.timeOrigin + performance.now()

/**
 * Measures how many milliseconds another clock is ahead of this process's. A reading counts as taken in the middle of its
 * round trip.
 * @param readMs reads the other clock; null when it does not answer
 * @returns null when no reading was answered
 */
export const measureSkew = async (readMs: () => Promise<number | null>): Promise<number | null> => {
  let best: { roundTripMs: number; skewMs: number } | null = null
  for (let reading = 0; reading < READINGS; reading += 1) {
    const sentMs = localMs()
    const ms = await readMs()
    const receivedMs = localMs()
    const roundTripMs = receivedMs - sentMs
    if (ms !== null && roundTripMs < (best?.roundTripMs ?? Number.POSITIVE_INFINITY))
      best = { roundTripMs, skewMs: ms - (sentMs + receivedMs) / 2 }
  }
  return best === null ? null : best.skewMs
}
