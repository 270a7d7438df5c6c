/**
 * Milliseconds since the epoch, with fractions, by a clock that all processes of a benchmark share: the time of the
 * process's start plus monotonic time, so that later changes of the machine's clock do not affect it.
 */
export const sharedNowMs = (): number => performance.timeOrigin + performance.now()
