import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@causeway/chassis'
import { z } from 'zod'
import type { CallbackClient } from '../http/callback-client.ts'
import type { Signal } from '../signal.ts'

const NoticeRow = z.object({ seq: z.number(), url: z.string(), body: z.string(), attempts: z.number() })
type Notice = z.infer<typeof NoticeRow>

const BATCH = 32
const MAX_SLEEP_MS = 30_000
/** Waits after failed attempts; after the last one the notice is dropped. */
const RETRIES_MS = [500, 1_000, 2_000, 5_000, 15_000, 60_000] as const

/** Only the oldest notice of each order is sent, so that notices arrive in the order of the changes. */
const DUE = `
  SELECT n.seq, o.notice_url AS url, n.body, n.attempts FROM onramp_notices n JOIN onramp_orders o USING (order_id)
  WHERE n.due_at_ms <= ? AND n.seq = (SELECT min(seq) FROM onramp_notices WHERE order_id = n.order_id)
  ORDER BY n.seq LIMIT ?`

/** Sends the notices of the onramp provider until `stopping`. A 2xx acknowledges, anything else is retried. */
export const runOnrampNoticeSender = async (options: {
  database: DatabaseSync
  callbacks: CallbackClient
  clock: Clock
  noticed: Signal
  stopping: AbortSignal
}): Promise<void> => {
  const { database, callbacks, clock, noticed, stopping } = options
  const due = database.prepare(DUE)
  const nextDue = database.prepare('SELECT min(due_at_ms) AS dueAtMs FROM onramp_notices')
  const remove = database.prepare('DELETE FROM onramp_notices WHERE seq = ?')
  const postpone = database.prepare(
    'UPDATE onramp_notices SET attempts = attempts + 1, due_at_ms = ? WHERE seq = ?',
  )

  const post = async (notice: Notice): Promise<void> => {
    const answer = await callbacks.send(notice.url, notice.body)
    if (stopping.aborted) return
    const waitMs = RETRIES_MS[notice.attempts]
    const isAcknowledged = answer !== null && answer.status >= 200 && answer.status <= 299
    if (isAcknowledged || waitMs === undefined) remove.run(notice.seq)
    else postpone.run(clock.nowMs() + waitMs, notice.seq)
  }

  const waitForDue = (): Promise<void> => {
    const dueAtMs = nextDue.get()?.['dueAtMs']
    const waitMs = typeof dueAtMs === 'number' ? dueAtMs - clock.nowMs() : MAX_SLEEP_MS
    return noticed.next(Math.min(Math.max(waitMs, 1), MAX_SLEEP_MS), stopping)
  }

  while (!stopping.aborted) {
    const batch = NoticeRow.array().parse(due.all(clock.nowMs(), BATCH))
    if (batch.length === 0) await waitForDue()
    else await Promise.all(batch.map(post))
  }
}
