import { afterAll, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { TICK_MS, ActiveTime, withoutStalls } from './active-time.ts'

const activeTime = new ActiveTime()
afterAll(() => activeTime.stop())

const nextTick = async () => {
  const ticks = new EventTarget()
  activeTime.onTick(() => ticks.dispatchEvent(new Event('tick')))
  await once(ticks, 'tick')
}

test('counts a stall of the process as one tick of its active time, however long it lasts', async () => {
  await nextTick()
  const [wallMs, activeMs] = [performance.now(), activeTime.ms]
  while (performance.now() - wallMs < 20 * TICK_MS);
  await nextTick()
  expect(activeTime.ms - activeMs).toBe(TICK_MS)
  expect(performance.now() - wallMs).toBeGreaterThanOrEqual(20 * TICK_MS)
})

test('limits the latency of a receiver to the time for which the process was active', () => {
  expect(withoutStalls(2_000, TICK_MS)).toBe(2 * TICK_MS)
  expect(withoutStalls(7, 0)).toBe(7)
  expect(withoutStalls(300, 10 * TICK_MS)).toBe(TICK_MS * 11)
})
