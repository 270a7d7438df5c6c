/** Something that ends at a time of its own: an exchange at its deadline, an idle connection. */
export type Timed = { onBeat: (nowMs: number) => void }

const BEAT_MS = 25
const timed = new Set<Timed>()
let timer: NodeJS.Timeout | undefined

const beat = () => {
  const nowMs = performance.now()
  for (const one of timed) one.onBeat(nowMs)
}

/**
 * Calls it every 25 ms, with `performance.now()`: one timer for all connections costs less than one a request, which
 * nearly always is answered long before. It runs while there is any connection.
 */
export const onBeat = (one: Timed): void => {
  timed.add(one)
  timer ??= setInterval(beat, BEAT_MS)
}

export const offBeat = (one: Timed): void => {
  timed.delete(one)
  if (timed.size > 0) return
  clearInterval(timer)
  timer = undefined
}
