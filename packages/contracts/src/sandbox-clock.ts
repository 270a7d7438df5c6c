/**
 * Subjects of the clock that the sandbox moves: it says that it has, and every process asks it how far and reports how
 * far it is itself. Only the bus of a sandbox allows them; that of a deployment knows no user `sandbox`.
 */
export const SANDBOX_CLOCK = { moved: 'sandbox.clock.moved', report: 'sandbox.clock.report' } as const
