/** The sandbox's clock: loaded by the sandbox, and by processes whose setting has them follow it. */
export { followSandboxClock } from './follow.ts'
export { leadSandboxClock, type LeadingClock } from './lead.ts'
