import { afterAll, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { BEAT_MS, RunningTime, withoutStalls } from './active-time.ts'

const running = new RunningTime()
afterAll(() => running.stop())

const aBeat = async () => {
  const beats = new EventTarget()
  running.onBeat(() => beats.dispatchEvent(new Event('beat')))
  await once(beats, 'beat')
}

test('a stall of the process is one beat of its running time, however long it lasts', async () => {
  await aBeat()
  const [wallMs, ranMs] = [performance.now(), running.ms]
  while (performance.now() - wallMs < 20 * BEAT_MS);
  await aBeat()
  expect(running.ms - ranMs).toBe(BEAT_MS)
  expect(performance.now() - wallMs).toBeGreaterThanOrEqual(20 * BEAT_MS)
})

test('a receiver is not held to have taken longer than the process was running', () => {
  expect(withoutStalls(2_000, BEAT_MS)).toBe(2 * BEAT_MS)
  expect(withoutStalls(7, 0)).toBe(7)
  expect(withoutStalls(300, 10 * BEAT_MS)).toBe(BEAT_MS * 11)
})
