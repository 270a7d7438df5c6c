import { expect, test } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from './log.ts'
import { eventually } from './testing/eventually.ts'
import { startLoop } from './loop.ts'
import { registry } from './metrics.ts'

const log = createLogger({ service: 'test', level: 'silent' })
const LONG_MS = 60_000

test('runs immediately when woken, also by a wake during a run', async () => {
  let runs = 0
  let finish = () => {}
  const loop = startLoop({
    name: 'test',
    everyMs: LONG_MS,
    restMs: 0,
    log,
    run: async () => {
      runs += 1
      await new Promise<void>((resolve) => (finish = resolve))
    },
  })
  await eventually(() => runs === 1)
  loop.wake()
  finish()
  await eventually(() => runs === 2)
  finish()
  await new Promise((resolve) => setImmediate(resolve))
  loop.wake()
  await eventually(() => runs === 3)
  finish()
  await loop.stop()
})

test('starts the next run right after one that left rows, after the rest only', async () => {
  let runs = 0
  const loop = startLoop({
    name: 'test',
    everyMs: LONG_MS,
    restMs: 0,
    log,
    run: async () => {
      runs += 1
      return runs < 3
    },
  })
  await eventually(() => runs === 3)
  await sleep(20)
  await loop.stop()
  expect(runs).toBe(3)
})

test('pauses for four times the run time when limited to a quarter of the time', async () => {
  const begunAtMs: number[] = []
  const loop = startLoop({
    name: 'test',
    everyMs: 1,
    maxShare: 0.25,
    restMs: 0,
    log,
    run: async () => {
      begunAtMs.push(performance.now())
      await sleep(50)
    },
  })
  await eventually(() => begunAtMs.length === 3)
  await loop.stop()
  const [first = 0, second = 0, third = 0] = begunAtMs
  // Timers may end a millisecond early.
  expect(second - first).toBeGreaterThanOrEqual(5 * 49)
  expect(third - second).toBeGreaterThanOrEqual(5 * 49)
})

test('logs repeated failures once in five seconds with their number, and again after a success', async () => {
  const lines: Record<string, unknown>[] = []
  let runs = 0
  const loop = startLoop({
    name: 'test',
    everyMs: 1,
    restMs: 0,
    log: { warn: (fields: Record<string, unknown>) => lines.push(fields) } as never,
    run: async () => {
      runs += 1
      if (runs !== 20) throw new Error(`fault ${runs}`)
    },
  })
  await eventually(() => runs > 40)
  await loop.stop()
  expect(lines).toEqual([
    { event: 'job.failed', job: 'test', failures: 1, error: new Error('fault 1') },
    { event: 'job.failed', job: 'test', failures: 1, error: new Error('fault 21') },
  ])
})

test('continues after a failure', async () => {
  let runs = 0
  const loop = startLoop({
    name: 'test',
    everyMs: 1,
    restMs: 0,
    log,
    run: async () => {
      runs += 1
      throw new Error('a fault')
    },
  })
  await eventually(() => runs >= 3)
  await loop.stop()
})

test('exports how long a job has been failing, and 0 after its next success', async () => {
  const values = async () =>
    ((await registry.getSingleMetric('causeway_job_failing_seconds')?.get())?.values ?? []).filter(
      ({ labels }) => labels['background_job'] === 'broken',
    )
  let isBroken = true
  const loop = startLoop({
    name: 'broken',
    everyMs: 1,
    restMs: 0,
    log,
    run: async () => {
      if (isBroken) throw new Error('a fault')
    },
  })
  await eventually(async () => ((await values())[0]?.value ?? 0) > 0.02)
  isBroken = false
  await eventually(async () => (await values())[0]?.value === 0)
  await loop.stop()
})

test('ends a long pause, aborts a long wait and runs nothing after a stop', async () => {
  let runs = 0
  const loop = startLoop({
    name: 'test',
    everyMs: LONG_MS,
    restMs: LONG_MS,
    log,
    run: async (signal) => {
      runs += 1
      if (runs === 1)
        await new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => resolve(), { once: true }),
        )
    },
  })
  await eventually(() => runs === 1)
  await loop.stop()
  loop.wake()
  await new Promise((resolve) => setImmediate(resolve))
  expect(runs).toBe(1)
})

test('runs nothing before the retry pause after a failure is over, woken or not', async () => {
  let runs = 0
  const loop = startLoop({
    name: 'test',
    everyMs: 0,
    restMs: 0,
    retryMs: LONG_MS,
    log,
    run: async () => {
      runs += 1
      await Promise.resolve()
      loop.wake()
      if (runs === 2) throw new Error('the bus is down')
    },
  })
  await eventually(() => runs === 2)
  for (let turn = 0; turn < 20; turn += 1) {
    loop.wake()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const runsBeforeRetry = runs
  await loop.stop()
  expect(runsBeforeRetry).toBe(2)
})
