import { expect, test } from '@jest/globals'
import { join } from 'node:path'
import { reportOf } from './report.ts'
import { runSoak } from './soak.ts'

/** `SOAK_SEED` repeats a run; otherwise it is the run's own `TEST_SEED`. */
const seed = Number(process.env['SOAK_SEED'] ?? process.env['TEST_SEED'] ?? 1)
/** `.ci/run` takes three minutes, in which every kind of fault has its turn; left out: 40 s, every second kind. */
const LOAD_MS =
  process.env['SOAK_MINUTES'] === undefined ? 40_000 : Number(process.env['SOAK_MINUTES']) * 60_000
/** Fewer than one every five seconds: a busy machine is behind. */
const LEAST_FAULTS = LOAD_MS / 8_000
const WITHIN_MS = 1_800_000
const BROKEN_LOAD_MS = 5_000

test(
  `loses nothing and doubles nothing with a fault every five seconds under a mixed load (SOAK_SEED=${seed})`,
  async () => {
    const result = await runSoak({ seed, loadMs: LOAD_MS })
    // The whole report is the message: what was found, and the faults before.
    if (result.findings.found.length > 0) throw new Error(reportOf(result))
    expect(result.faults.length).toBeGreaterThan(LEAST_FAULTS)
  },
  WITHIN_MS,
)

test(
  'finds a payments service that does not compare idempotency keys, by the histories and by the rows',
  async () => {
    const mains = { payments: join(import.meta.dirname, 'broken', 'payments.ts') }
    const { findings } = await runSoak({ seed: 1, loadMs: BROKEN_LOAD_MS, withFaults: false, mains })
    const checks = new Set(findings.found.map(({ check }) => check))
    expect(checks).toContain('linearizable keys')
    expect(checks).toContain('card order: one a key')
  },
  WITHIN_MS,
)
