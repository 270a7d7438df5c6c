import { STALLS } from './stalls.ts'
import { describeBehaviours } from './suite.ts'

/** Far longer than a status line takes even on a busy machine: half of these outcomes need it to arrive in time. */
const DEADLINE_MS = 10_000

describeBehaviours('an answer that does not end before the deadline', STALLS, { timeoutMs: DEADLINE_MS })
