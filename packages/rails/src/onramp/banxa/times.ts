const FORM = /^(\d{4}-\d{2}-\d{2})[T ]?(\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/

/**
 * A time as Banxa writes it, UTC unless it says otherwise: `2025-04-07T02:36:22.000000Z`, `2024-01-31 12:48:36` and
 * `2026-01-1604:04:21`, which its page on webhooks shows. Null for what is no time at all.
 */
export const parseBanxaTime = (text: string): Date | null => {
  const [, day, time, fraction = '.0', zone = 'Z'] = FORM.exec(text.trim()) ?? []
  if (day === undefined || time === undefined) return null
  const at = new Date(`${day}T${time}${fraction.slice(0, 4)}${zone}`)
  if (Number.isNaN(at.getTime())) return null
  // Date reads the 31st of June as the 1st of July.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? at : null
}
