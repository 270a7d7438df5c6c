/** The subject whose key encrypts payers that become known at a time: one a month, in UTC. They sort by time. */
export const payerMonth = (at: Date): string => `payers-${at.toISOString().slice(0, 7)}`

/** The first month that stays: payers of earlier months are all older than the retention. */
export const firstKeptMonth = (now: Date, retentionMs: number): string =>
  payerMonth(new Date(now.getTime() - retentionMs))

/** When the key of a month is destroyed by age; null for any other subject. */
export const monthEnds = (subject: string, retentionMs: number): Date | null => {
  const [, year, month] = /^payers-(\d{4})-(\d{2})$/.exec(subject) ?? []
  if (year === undefined || month === undefined) return null
  return new Date(Date.UTC(Number(year), Number(month), 1) + retentionMs)
}
