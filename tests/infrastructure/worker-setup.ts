import fc from 'fast-check'

/** Gives this worker its own account on the bus, which isolates test files that run at the same time. */
const shared = process.env['CAUSEWAY_TEST_NATS_URL']
const worker = process.env['JEST_WORKER_ID'] ?? '1'
if (shared !== undefined) {
  const url = new URL(shared)
  url.username = `worker-${worker}`
  process.env['CAUSEWAY_TEST_NATS_URL'] = url.href
}

// Property tests take the run's seed: `TEST_SEED` repeats their values.
fc.configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 1) })
