const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/
const HAS_ZONE = /T.*(Z|[+-]\d\d:\d\d)$/

/**
 * Reads the value of a `timeField`: a date, or a date and a time, in UTC unless it names an offset.
 * @returns the time in UTC; null for any other text
 */
export const readUtcTime = (entered: string): string | null => {
  const text = entered.trim().replace(' ', 'T')
  if (!TIME.test(text)) return null
  const withTime = text.includes('T') ? text : `${text}T00:00`
  const at = new Date(HAS_ZONE.test(withTime) ? withTime : `${withTime}Z`)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/** Reads the value of a `timeField` for an operation, which refuses any text that is no time. */
export const utcTimeOr = (entered: string): string => readUtcTime(entered) ?? entered
