import type { Clock } from '@causeway/chassis'
import type { Notices, PendingNotice } from './notices.ts'
import type { CallbackClient } from '../http/callback-client.ts'

const BATCH = 32
const MAX_SLEEP_MS = 30_000

/** Sends notices at their due times until `stopping`. A 2xx acknowledges, anything else is retried. */
export const runNoticeSender = async (options: {
  notices: Notices
  callbacks: CallbackClient
  clock: Clock
  stopping: AbortSignal
}): Promise<void> => {
  const { notices, callbacks, clock, stopping } = options

  const post = async (notice: PendingNotice): Promise<void> => {
    const answer = await callbacks.send(notice.url, notice.body)
    // An attempt aborted by the stop does not count; the next process sends the notice.
    if (stopping.aborted) return
    if (answer !== null && answer.status >= 200 && answer.status <= 299) notices.delivered(notice)
    else notices.failed(notice)
  }

  const waitForDue = (): Promise<void> => {
    const dueAtMs = notices.nextDueAtMs()
    const waitMs = dueAtMs === null ? MAX_SLEEP_MS : dueAtMs - clock.nowMs()
    return notices.added.next(Math.min(Math.max(waitMs, 1), MAX_SLEEP_MS), stopping)
  }

  while (!stopping.aborted) {
    const batch = notices.due(BATCH)
    if (batch.length === 0) await waitForDue()
    else await Promise.all(batch.map(post))
  }
}
