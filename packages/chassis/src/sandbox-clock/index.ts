/** The sandbox's clock: loaded by the sandbox, and by processes with SANDBOX_CLOCK=true. */
export { followSandboxClock } from './follow.ts'
export { leadSandboxClock, type LeadingClock } from './lead.ts'
