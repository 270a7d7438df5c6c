import { hasStreamLeader } from './bus/stream.ts'
import type { Bus } from './bus/connect.ts'
import type { Db } from './db/db.ts'

/** Timeout of each check: a probe does not wait longer. */
const TIMEOUT_MS = 1_000

/** False when the check fails or takes too long. */
export const checkWithin = async (check: Promise<boolean>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([check.catch(() => false), timedOut])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Checks whether a service is ready: its database, the bus with all its subscriptions, and the stream with a leader. Without
 * one of the last two it still responds to requests and stores its events, so requests are still sent to it; only a rollout
 * waits.
 */
export const isServiceReady = async ({
  db,
  bus,
  timeoutFactor,
}: Readonly<{ db: Db; bus: Bus; timeoutFactor: number }>): Promise<boolean> => {
  const timeoutMs = TIMEOUT_MS * timeoutFactor
  const checks = [
    db.ping().then(() => bus.connected() && bus.refusedSubjects().length === 0),
    hasStreamLeader(bus),
  ]
  const results = await Promise.all(checks.map((check) => checkWithin(check, timeoutMs)))
  return results.every(Boolean)
}
