import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createClock, type Bus, type Clock } from '../src/index.ts'
import { followSandboxClock, leadSandboxClock } from '../src/sandbox-clock/index.ts'
import { eventually, testBus } from '../src/testing/index.ts'
import { silent as log } from './fixture.ts'

const HOUR_MS = 3_600_000
const NEVER_MS = 100 * HOUR_MS

let stops: (() => unknown)[] = []
beforeEach(() => {
  stops = []
})
afterEach(async () => {
  for (const stop of stops.reverse()) await stop()
})

const connect = async (): Promise<Bus> => {
  const bus = await testBus()
  stops.push(() => bus.close())
  return bus
}
const lead = async (clock: Clock = createClock(), silentMs = NEVER_MS) => {
  const bus = await connect()
  const kept: number[] = []
  const remember = (offsetMs: number) => kept.push(offsetMs)
  const leading = leadSandboxClock({ bus, clock, log, remember, silentMs })
  stops.push(leading.stop)
  await bus.connection.flush()
  return { clock, kept, ...leading }
}
const follow = async (clock: Clock = createClock()) => {
  const bus = await connect()
  const stop = await followSandboxClock({ bus, clock, log })
  stops.push(stop)
  return { clock, bus, stop }
}

test('returns from a move only when every process reads the new time and sleeping ones were woken', async () => {
  const leading = await lead()
  const followers = await Promise.all([follow(), follow(), follow()])
  const woken: number[] = []
  for (const { clock } of followers) clock.onMoved(() => woken.push(clock.offsetMs()))
  await leading.advance(10 * HOUR_MS)
  expect(followers.map(({ clock }) => clock.offsetMs())).toEqual([10, 10, 10].map((h) => h * HOUR_MS))
  expect(woken).toEqual([10, 10, 10].map((h) => h * HOUR_MS))
  expect(leading.clock.offsetMs()).toBe(10 * HOUR_MS)
})

test('adds up concurrent moves and never moves back', async () => {
  const leading = await lead()
  const { clock } = await follow()
  const seen: number[] = []
  clock.onMoved(() => seen.push(clock.offsetMs()))
  await Promise.all([1, 2, 3, 4].map((hours) => leading.advance(hours * HOUR_MS)))
  expect(clock.offsetMs()).toBe(10 * HOUR_MS)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(leading.kept).toEqual([1, 3, 6, 10].map((hours) => hours * HOUR_MS))
})

test('sets the time of a process that starts later before it serves', async () => {
  const leading = await lead()
  await leading.advance(62 * HOUR_MS)
  expect((await follow()).clock.offsetMs()).toBe(62 * HOUR_MS)
})

test('waits for the time of the sandbox at the start', async () => {
  const following = follow()
  const clock = createClock()
  clock.advance(HOUR_MS)
  await lead(clock)
  expect((await following).clock.offsetMs()).toBe(HOUR_MS)
})

test('refuses to start without a sandbox and names the setting', async () => {
  const bus = await connect()
  const starting = followSandboxClock({ bus, clock: createClock(), log, timeoutFactor: 0.01 })
  await expect(starting).rejects.toThrow(/^SANDBOX_CLOCK is true, but no sandbox/)
})

test('adopts the time that the processes read after a sandbox has lost its memory', async () => {
  const first = await lead()
  const { clock } = await follow()
  await first.advance(5 * HOUR_MS)
  first.stop()
  const second = await lead()
  await eventually(() => second.clock.offsetMs() === 5 * HOUR_MS)
  await second.advance(HOUR_MS)
  expect(clock.offsetMs()).toBe(6 * HOUR_MS)
})

test('does not wait for a process that has stopped', async () => {
  const leading = await lead()
  const gone = await follow()
  await gone.stop()
  await leading.advance(HOUR_MS)
  expect(gone.clock.offsetMs()).toBe(0)
})

test('stops waiting for a process that has died', async () => {
  const leading = await lead(createClock(), 300)
  const dead = await follow()
  await dead.bus.connection.close()
  await leading.advance(HOUR_MS)
  expect(leading.clock.offsetMs()).toBe(HOUR_MS)
})
