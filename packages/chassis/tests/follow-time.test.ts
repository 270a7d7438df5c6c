import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { healthOf } from '@causeway/contracts'
import { implement, refuse, reply, serve, type Bus } from '../src/index.ts'
import { followServiceTime } from '../src/bus/follow-time.ts'
import { createClock, type Clock } from '../src/clock.ts'
import { createLogger } from '../src/log.ts'
import { eventually, testBus, testReceiverKeys } from '../src/testing/index.ts'

const log = createLogger({ service: 'test', level: 'silent' })
let bus: Bus
/** How far the clock of access is ahead of this machine's. */
let aheadMs = 0
const ofAccess = createClock(() => performance.timeOrigin + performance.now() + aheadMs)
let isReady = true

beforeAll(async () => {
  bus = await testBus()
  const health = implement(healthOf('access'), {
    check: async () =>
      isReady
        ? reply({ ready: true as const, at: new Date(ofAccess.outsideMs()).toISOString() })
        : refuse('temporarily_unavailable'),
  })
  serve(bus, health, {
    service: 'access',
    keys: testReceiverKeys(),
    clock: ofAccess,
    log,
    checkReplies: true,
  })
  await bus.connection.flush()
})
afterAll(() => bus.close())

const differenceMs = (clock: Clock) => Math.abs(clock.outsideMs() - ofAccess.outsideMs())

test.each([-100_000, 100_000])('corrects a clock when that of access is %d ms ahead', async (ms) => {
  aheadMs = ms
  const clock = createClock()
  const stop = await followServiceTime(bus, clock, log)
  stop()
  expect(differenceMs(clock)).toBeLessThan(5_000)
})

test('keeps the time of the machine until access answers', async () => {
  aheadMs = 50_000
  isReady = false
  const clock = createClock()
  const stop = await followServiceTime(bus, clock, log)
  expect(differenceMs(clock)).toBeGreaterThan(40_000)
  isReady = true
  await eventually(() => differenceMs(clock) < 5_000)
  stop()
})
