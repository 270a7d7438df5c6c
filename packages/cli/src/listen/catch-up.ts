import { ConflictError } from '@causeway/client'
import type { EventLog, LoggedEvent } from '../session/event-log.ts'

/** Returns the events since a given one that did not reach the webhook, oldest first. */
const missedSince = async (
  log: EventLog,
  webhookId: string,
  mark: LoggedEvent | null,
): Promise<LoggedEvent[]> => {
  const missed: LoggedEvent[] = []
  for await (const event of log.missed(webhookId)) {
    if (mark !== null && event.created_at < mark.created_at) break
    if (event.event_id !== mark?.event_id) missed.push(event)
  }
  return missed.reverse()
}

/**
 * Has everything sent that came since an event and before the webhook was registered.
 * @param mark the newest event at the start; null where there was none
 * @returns how many
 */
export const catchUp = async (
  log: EventLog,
  webhookId: string,
  mark: LoggedEvent | null,
): Promise<number> => {
  const missed = await missedSince(log, webhookId, mark)
  for (const { event_id: eventId } of missed)
    try {
      await log.resend(webhookId, eventId)
    } catch (error) {
      // It is under way already.
      if (!(error instanceof ConflictError)) throw error
    }
  return missed.length
}
