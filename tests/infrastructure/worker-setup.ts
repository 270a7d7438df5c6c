/** Gives this worker its own account on the bus, so that test files that run at once do not meet there. */
const shared = process.env['CAUSEWAY_TEST_NATS_URL']
const worker = process.env['JEST_WORKER_ID'] ?? '1'
if (shared !== undefined) {
  const url = new URL(shared)
  url.username = `worker-${worker}`
  process.env['CAUSEWAY_TEST_NATS_URL'] = url.href
}
