import { setTimeout as delay } from 'node:timers/promises'

const TICK_MS = 10

/**
 * Makes things at a steady rate, a few a tick, without waiting for one before the next.
 * @param make is called for each with its number, from 0
 * @returns how many, once all are made
 */
export const steadily = async (
  { perSecond, durationMs }: Readonly<{ perSecond: number; durationMs: number }>,
  make: (index: number) => Promise<unknown>,
): Promise<number> => {
  const begunMs = performance.now()
  const total = Math.ceil((perSecond * durationMs) / 1_000)
  const under: Promise<unknown>[] = []
  for (let made = 0; made < total;) {
    const due = Math.min(total, Math.ceil((perSecond * (performance.now() - begunMs + TICK_MS)) / 1_000))
    for (; made < due; made += 1) under.push(make(made))
    await delay(TICK_MS)
  }
  await Promise.all(under)
  return total
}
