/**
 * What services under test multiply their timeouts by, so that a slow machine meets none of them: a test that is not
 * about a timeout must not depend on one. Tests that wait for one ask for 1.
 */
export const TEST_TIMEOUT_FACTOR = 20

/** Deadline of a request of a test that is not about deadlines. */
export const TEST_DEADLINE_MS = 120_000
