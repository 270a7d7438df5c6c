/** Ends with 0 when this container's process is ready. HEALTH_URL names another address than the health port's. */
const url = process.env.HEALTH_URL ?? `http://127.0.0.1:${process.env.HEALTH_PORT}/readyz`
const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
process.exit(answer.ok ? 0 : 1)
