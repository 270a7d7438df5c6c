import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createClock, createLogger } from '@causeway/chassis'
import { leadSandboxClock, type LeadingClock } from '@causeway/chassis/sandbox-clock'
import { eventually } from '@causeway/chassis/testing'
import { startCrashHarness, type CrashHarness } from './crash-harness.ts'

const HOUR_MS = 3_600_000
const within = { withinMs: 120_000 }

let harness: CrashHarness
let sandbox: LeadingClock
beforeEach(async () => {
  harness = await startCrashHarness()
  const log = createLogger({ service: 'test', level: 'silent' })
  sandbox = leadSandboxClock({ bus: harness.bus, clock: createClock(), log, remember: () => undefined })
  await harness.bus.connection.flush()
})
afterEach(async () => {
  sandbox.stop()
  await harness.stop()
})

it('performs what falls due by a move of the clock, without a wait', async () => {
  const later = await harness.purchase('extend', 5 * HOUR_MS)
  await harness.startChild({ SANDBOX_CLOCK: 'true' })
  expect(await sandbox.advance(5 * HOUR_MS)).toBe(true)
  await eventually(async () => (await harness.committed(later)).length === 1, within)
})

it('ignores a moved clock on the bus when the settings do not enable it', async () => {
  const later = await harness.purchase('extend', 5 * HOUR_MS)
  await harness.startChild()
  await sandbox.advance(5 * HOUR_MS)
  const now = await harness.purchase('extend')
  await eventually(async () => (await harness.committed(now)).length === 1, within)
  expect(await harness.committed(later)).toEqual([])
  expect(harness.cryptoOrder(later.orderId)?.expires_at).toBe(later.cryptoOrderExpiresAt.toISOString())
})
