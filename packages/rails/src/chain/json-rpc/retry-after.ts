import type { HttpAnswer } from '../../http/exchange.ts'

/** Rest after an answer 429 that does not say how long. */
const DEFAULT_MS = 1_000
/** Longest pause: an endpoint that requests a longer one is retried after this. */
const MOST_MS = 300_000

const headerOf = (answer: HttpAnswer, name: string): string => {
  const value = answer.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

/**
 * How long an endpoint that answered 429 wants to rest (RFC 9110 §10.2.3): seconds, or a date, which is compared with
 * the answer's own so that no clock of ours counts.
 */
export const retryAfterMs = (answer: HttpAnswer): number => {
  const text = headerOf(answer, 'retry-after')
  const ms = /^\d+$/.test(text)
    ? Number(text) * 1_000
    : Date.parse(text) - Date.parse(headerOf(answer, 'date'))
  return Number.isNaN(ms) ? DEFAULT_MS : Math.min(Math.max(ms, 0), MOST_MS)
}
