/**
 * Milliseconds since the epoch, with fractions, by a clock that all processes of a benchmark share: it stands on the
 * time of the process's start, and what is set on the machine's clock afterwards does not move it.
 */
export const sharedNowMs = (): number => performance.timeOrigin + performance.now()
