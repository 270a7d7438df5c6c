/** Months are `yyyy-mm` of `recorded_at`, in UTC. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

const startOf = (month: string): Date => new Date(`${month}-01T00:00:00.000Z`)

/** The month after another one. */
export const monthAfter = (month: string): string => {
  const start = startOf(month)
  start.setUTCMonth(start.getUTCMonth() + 1)
  return monthOf(start)
}
