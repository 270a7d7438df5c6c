import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createClock, createLogger, leadSandboxClock, type LeadingClock } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { startCrashStage, type CrashStage } from './crash-stage.ts'

const HOUR_MS = 3_600_000
const within = { withinMs: 120_000 }

let stage: CrashStage
let sandbox: LeadingClock
beforeEach(async () => {
  stage = await startCrashStage()
  const log = createLogger({ service: 'test', level: 'silent' })
  sandbox = leadSandboxClock({ bus: stage.bus, clock: createClock(), log, remember: () => undefined })
  await stage.bus.connection.flush()
})
afterEach(async () => {
  sandbox.stop()
  await stage.stop()
})

it('a process that follows carries out what falls due by the move, without a wait', async () => {
  const later = await stage.purchase('extend', 5 * HOUR_MS)
  await stage.startChild({ SANDBOX_CLOCK: 'true' })
  expect(await sandbox.advance(5 * HOUR_MS)).toBe(true)
  await eventually(async () => (await stage.committed(later)).length === 1, within)
})

it('one whose settings do not say so keeps its own time, whatever the bus says', async () => {
  const later = await stage.purchase('extend', 5 * HOUR_MS)
  await stage.startChild()
  await sandbox.advance(5 * HOUR_MS)
  const now = await stage.purchase('extend')
  await eventually(async () => (await stage.committed(now)).length === 1, within)
  expect(await stage.committed(later)).toEqual([])
  expect(stage.invoice(later.orderId)?.expires_at).toBe(later.invoiceExpiresAt.toISOString())
})
