import fc from 'fast-check'

/** Gives this worker its own account on the bus, so that test files that run at once do not meet there. */
const shared = process.env['CAUSEWAY_TEST_NATS_URL']
const worker = process.env['JEST_WORKER_ID'] ?? '1'
if (shared !== undefined) {
  const url = new URL(shared)
  url.username = `worker-${worker}`
  process.env['CAUSEWAY_TEST_NATS_URL'] = url.href
}

// Properties take their values from the seed of the run: `TEST_SEED` repeats them.
fc.configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 1) })
