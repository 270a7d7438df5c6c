import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type Bus, createClock, createLogger } from '@causeway/chassis'
import { followSandboxClock } from '@causeway/chassis/sandbox-clock'
import { testBus, testNatsUrl } from '@causeway/chassis/testing'
import type { Sandbox } from '../src/sandbox.ts'
import { loadConfig } from '../src/config.ts'
import { control } from './control.ts'
import { CARD_SECRET, startSandbox } from '../src/testing/index.ts'

const HOUR_MS = 3_600_000
const startMs = Date.parse('2026-11-21T10:00:00.000Z')
const stoppedClock = () => createClock(() => startMs)
const at = (ms: number) => ({ status: 200, body: { now: new Date(startMs + ms).toISOString() } })

let folder: string
let sandbox: Sandbox
let bus: Bus
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-sandbox-'))
  bus = await testBus()
  sandbox = await startSandbox({ bus: { url: testNatsUrl() }, dataFolder: folder }, stoppedClock())
})
afterEach(async () => {
  await sandbox.stop()
  await bus.close()
  await rm(folder, { recursive: true })
})

test('reads the clock, advances it by a duration or to a time, and never sets it back', async () => {
  expect(await control(sandbox, 'GET', '/control/clock')).toEqual(at(0))
  expect(await control(sandbox, 'POST', '/control/clock', { advance_ms: HOUR_MS })).toEqual(at(HOUR_MS))
  const now = new Date(startMs + 10 * HOUR_MS).toISOString()
  expect(await control(sandbox, 'POST', '/control/clock', { now })).toEqual(at(10 * HOUR_MS))
  expect(await control(sandbox, 'POST', '/control/clock', { advance_ms: 0 })).toEqual(at(10 * HOUR_MS))
  const earlier = new Date(startMs).toISOString()
  expect(await control(sandbox, 'POST', '/control/clock', { now: earlier })).toMatchObject({
    status: 400,
    body: { error: { details: [{ field: 'now', reason: 'too_small' }] } },
  })
  expect(await control(sandbox, 'GET', '/control/clock')).toEqual(at(10 * HOUR_MS))
})

test.each([
  [{ advance_ms: -1 }, 'advance_ms', 'too_small'],
  [{ advance_ms: 1.5 }, 'advance_ms', 'invalid_type'],
  [{ advance_ms: 11 * 366 * 24 * HOUR_MS }, 'advance_ms', 'too_big'],
  [{}, 'advance_ms', 'required'],
  [{ now: 'tomorrow' }, 'now', 'invalid_date'],
  [{ by: 1 }, 'by', 'unknown_field'],
])('refuses %j and moves nothing', async (body, field, reason) => {
  const answer = await control(sandbox, 'POST', '/control/clock', body)
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  expect((answer.body['error'] as { details: unknown[] }).details).toContainEqual(
    expect.objectContaining({ field, reason }),
  )
  expect(await control(sandbox, 'GET', '/control/clock')).toEqual(at(0))
})

test('gives every follower the new time before the call returns, and after a restart of the sandbox too', async () => {
  const clock = stoppedClock()
  const log = createLogger({ service: 'test', level: 'silent' })
  const leave = await followSandboxClock({ bus, clock, log })
  await control(sandbox, 'POST', '/control/clock', { advance_ms: 62 * HOUR_MS })
  expect(clock.nowMs()).toBe(startMs + 62 * HOUR_MS)
  await leave()
  await sandbox.stop()
  sandbox = await startSandbox({ bus: { url: testNatsUrl() }, dataFolder: folder }, stoppedClock())
  expect(await control(sandbox, 'GET', '/control/clock')).toEqual(at(62 * HOUR_MS))
})

test('does not advance the clock without a bus, and the refusal names the settings', async () => {
  await sandbox.stop()
  sandbox = await startSandbox({}, stoppedClock())
  expect(await control(sandbox, 'POST', '/control/clock', { advance_ms: HOUR_MS })).toMatchObject({
    status: 409,
    body: {
      error: {
        code: 'clock_not_followed',
        message: expect.stringContaining('SANDBOX_CLOCK=true and NATS_URL'),
      },
    },
  })
  expect(await control(sandbox, 'GET', '/control/clock')).toEqual(at(0))
})

test('stops the start and names the settings that enable the clock without a bus', () => {
  const env = { SANDBOX_CARD_SECRET: CARD_SECRET, SANDBOX_ONRAMP_SECRET: CARD_SECRET, SANDBOX_CLOCK: 'true' }
  expect(() => loadConfig(env)).toThrow('SANDBOX_CLOCK is true, but NATS_URL is not set')
  const natsUrl = 'nats://sandbox:secret@127.0.0.1:4222'
  expect(loadConfig({ ...env, NATS_URL: natsUrl }).bus).toEqual({ url: natsUrl, tls: {} })
  expect(loadConfig({ ...env, SANDBOX_CLOCK: 'false', NATS_URL: natsUrl }).bus).toBe(null)
})
