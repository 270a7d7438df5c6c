/** The subject whose key encrypts payers that are learned at a time: one a month, in UTC. They sort by time. */
export const payerMonth = (at: Date): string => `payers-${at.toISOString().slice(0, 7)}`

/** The first month that stays: what was learned in those before it is all older than the retention. */
export const firstKeptMonth = (now: Date, retentionMs: number): string =>
  payerMonth(new Date(now.getTime() - retentionMs))
