import type { Delivery } from '@causeway/contracts'

type Attempt = Delivery['attempts'][number]

/** How a receiver did lately, by its log alone. */
export type Health = Readonly<{
  /** Deliveries that were looked at. */
  total: number
  /** Of those, the share that arrived, 0 to 1; null where nothing has ended yet. */
  deliveredShare: number | null
  /** Begin of the failures that have lasted until now, in ISO 8601; null where the last attempt arrived. */
  failingSince: string | null
  /** Milliseconds until half of the answers, and until 99 of 100, had come; null without an answer. */
  p50: number | null
  p99: number | null
}>

const hasArrived = ({ status_code: code }: Attempt): boolean => code !== null && code >= 200 && code < 300

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** Nearest rank. @param sorted ascending */
const percentile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null

const failingSince = (attempts: readonly Attempt[]): string | null => {
  const lastArrived = attempts.findLastIndex(hasArrived)
  return attempts[lastArrived + 1]?.at ?? null
}

/** @param deliveries the newest of a destination, with their attempts */
export const healthOf = (deliveries: readonly Delivery[]): Health => {
  const attempts = deliveries.flatMap((delivery) => delivery.attempts).toSorted((a, b) => compare(a.at, b.at))
  const ended = deliveries.filter(({ status }) => status !== 'waiting')
  const arrived = ended.filter(({ status }) => status === 'delivered')
  const latencies = attempts
    .filter(({ status_code: code }) => code !== null)
    .map(({ latency_ms: latencyMs }) => latencyMs)
    .toSorted((a, b) => a - b)
  return {
    total: deliveries.length,
    deliveredShare: ended.length === 0 ? null : arrived.length / ended.length,
    failingSince: failingSince(attempts),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
}
