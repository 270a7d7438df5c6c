const DAY_MS = 86_400_000

/** The day (UTC) so many days before a time, as YYYY-MM-DD. */
export const dayBefore = (at: Date, days: number): string =>
  new Date(at.getTime() - days * DAY_MS).toISOString().slice(0, 10)
