import type { Delivery } from '@causeway/contracts'

type Attempt = Delivery['attempts'][number]

/** Recent health of a webhook endpoint, computed from its deliveries. */
export type Health = Readonly<{
  /** Number of deliveries evaluated. */
  total: number
  /** Share of finished deliveries that were delivered, 0 to 1; null if none has finished. */
  deliveredShare: number | null
  /** Start of the current failures, in ISO 8601; null if the last attempt succeeded. */
  failingSince: string | null
  /** Median and 99th percentile of the latency, in milliseconds; null without a response. */
  p50: number | null
  p99: number | null
}>

const hasArrived = ({ status_code: code }: Attempt): boolean => code !== null && code >= 200 && code < 300

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** Returns a percentile by nearest rank. @param sorted ascending */
const percentile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null

const failingSince = (attempts: readonly Attempt[]): string | null => {
  const lastArrived = attempts.findLastIndex(hasArrived)
  return attempts[lastArrived + 1]?.at ?? null
}

/** Computes the health of a webhook. @param deliveries its newest deliveries, with their attempts */
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
