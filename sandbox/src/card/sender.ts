import type { Clock } from '@causeway/chassis'
import type { Notices, PendingNotice } from './notices.ts'
import type { Posts } from './posts.ts'

const BATCH = 32
const LONGEST_REST_MS = 30_000

/** Posts notices as they fall due, until `stopping`. A 2xx is an acknowledgement; all else is tried again. */
export const runSender = async (options: {
  notices: Notices
  posts: Posts
  clock: Clock
  stopping: AbortSignal
}): Promise<void> => {
  const { notices, posts, clock, stopping } = options

  const post = async (notice: PendingNotice): Promise<void> => {
    const answer = await posts.send(notice.url, notice.body)
    // A notice that the stop cut off was not refused: it is posted by the next process.
    if (stopping.aborted) return
    if (answer !== null && answer.status >= 200 && answer.status <= 299) notices.delivered(notice)
    else notices.failed(notice)
  }

  const rest = (): Promise<void> => {
    const dueAtMs = notices.nextDueAtMs()
    const waitMs = dueAtMs === null ? LONGEST_REST_MS : dueAtMs - clock.nowMs()
    return notices.added.next(Math.min(Math.max(waitMs, 1), LONGEST_REST_MS), stopping)
  }

  while (!stopping.aborted) {
    const batch = notices.due(BATCH)
    if (batch.length === 0) await rest()
    else await Promise.all(batch.map(post))
  }
}
