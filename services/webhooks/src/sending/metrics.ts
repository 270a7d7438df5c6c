import { metrics } from '@causeway/chassis'
import type { Channel } from '../destinations/domain.ts'
import { outcomeOfStatus, type AttemptOutcome } from './attempt.ts'

const attempts = metrics.counter('causeway_webhook_attempts_total', 'Attempts by channel and verdict', [
  'channel',
  'verdict',
])
const seconds = metrics.seconds(
  'causeway_webhook_attempt_duration_seconds',
  'Time of an attempt by channel',
  ['channel'],
)

const CHANNELS: readonly Channel[] = ['partner', 'merchant']
const OUTCOMES: readonly AttemptOutcome[] = ['delivered', 'dead', 'retry']
const keyOf = (channel: Channel, outcome: AttemptOutcome) => `${channel} ${outcome}`

/** Looked up once: finding a metric by its labels costs more than counting. */
const counted = new Map(
  CHANNELS.flatMap((channel) =>
    OUTCOMES.map((outcome) => [keyOf(channel, outcome), attempts.labels({ channel, verdict: outcome })]),
  ),
)
const timed = new Map(CHANNELS.map((channel) => [channel, seconds.labels({ channel })]))

export const observeAttempt = (channel: Channel, statusCode: number | null, latencyMs: number): void => {
  counted.get(keyOf(channel, outcomeOfStatus(statusCode)))?.inc()
  timed.get(channel)?.observe(latencyMs / 1_000)
}
