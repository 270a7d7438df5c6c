/**
 * Factor for the timeouts of services under test, so that they do not expire on a slow machine: a test that is not about a
 * timeout must not depend on one. Tests of a timeout use 1.
 */
export const TEST_TIMEOUT_FACTOR = 20

/** Deadline of a request of a test that is not about deadlines. */
export const TEST_DEADLINE_MS = 120_000

/**
 * For HTTP servers of tests: idle connections stay open until the client closes them. Node's default of 5 s may end in
 * the same moment in which a client that was held up sends on the connection, and the client gets a reset.
 */
export const KEEPS_IDLE_CONNECTIONS = { keepAliveTimeout: 0 } as const
