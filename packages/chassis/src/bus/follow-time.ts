import { healthOf, type Caller } from '@causeway/contracts'
import { measureSkew } from '../clock-skew.ts'
import type { Clock } from '../clock.ts'
import { newId } from '../ids.ts'
import type { Logger } from '../log.ts'
import { encodeRequest } from './call.ts'
import type { Bus } from './connect.ts'
import { decodeReply } from './wire.ts'

const INTERVAL_MS = 30_000
/** How soon a reading without an answer is repeated. */
const RETRY_MS = 1_000
const TIMEOUT_MS = 1_000
/** How long the request is valid: a clock that is two minutes wrong, in either direction, is still corrected. */
const VALID_MS = 150_000

const CALLER_JSON = JSON.stringify({ kind: 'public' } satisfies Caller)
const { check } = healthOf('access')

const readTime = async (bus: Bus, clock: Clock): Promise<number | null> => {
  const { subject } = check
  const request = { requestId: newId('request'), callerJson: CALLER_JSON, timeoutMs: TIMEOUT_MS, safe: true }
  const payload = bus.seal(subject, clock.outsideMs() + VALID_MS, encodeRequest(request))
  const answer = await bus.ask({ subject, payload, timeoutMs: TIMEOUT_MS, traceparent: null })
  if (typeof answer === 'string') return null
  const reply = decodeReply(answer)
  if (!reply.ok) return null
  const { data } = check.reply.safeParse(JSON.parse(Buffer.from(reply.data).toString('utf8')))
  return data?.at === undefined ? null : Date.parse(data.at)
}

/**
 * Keeps the clock of a process without a database on the time of access, which follows its database's. While access does
 * not answer, the last measurement counts, and at the start the machine's time.
 * @returns how to stop following
 */
export const followServiceTime = async (bus: Bus, clock: Clock, log: Logger): Promise<() => void> => {
  let timer: NodeJS.Timeout | null = null
  let isStopped = false
  let isReported = false
  const report = (error?: unknown) => {
    if (!isReported && !isStopped)
      log.warn(
        { event: 'clock.not_read', error },
        'The time of access could not be read; the last one is used',
      )
    isReported = true
  }
  const measure = async (): Promise<boolean> => {
    try {
      const skewMs = await measureSkew(() => readTime(bus, clock))
      if (skewMs === null) {
        report()
        return false
      }
      clock.follow(skewMs)
      isReported = false
      return true
    } catch (error) {
      report(error)
      return false
    }
  }
  const next = (isMeasured: boolean) => {
    if (isStopped) return
    timer = setTimeout(() => void measure().then(next), isMeasured ? INTERVAL_MS : RETRY_MS)
    timer.unref()
  }
  next(await measure())
  return () => {
    isStopped = true
    if (timer !== null) clearTimeout(timer)
  }
}
