import { STALLS } from './stalls.ts'
import { describeBehaviours } from './suite.ts'

/** Far more than a status line takes to come even on a machine that is busy, for it decides half of these. */
const DEADLINE_MS = 4_000

describeBehaviours('an answer that does not end before the deadline', STALLS, { timeoutMs: DEADLINE_MS })
