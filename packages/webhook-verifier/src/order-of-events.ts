import { fieldOf } from './fields.ts'
import type { WebhookEvent } from './verify.ts'

/** Events that describe no state of the object that they name. */
const WITHOUT_STATE: ReadonlySet<unknown> = new Set(['risk_alert', 'test'])

/**
 * The id of the object whose state an event describes: an order, a payout, or an onramp purchase. Null for an event that
 * describes none, such as `risk_alert`, and on the partner channel.
 */
export const subjectOf = (event: WebhookEvent): string | null => {
  if (WITHOUT_STATE.has(fieldOf(event, 'event')) || fieldOf(event, 'event_type') !== undefined) return null
  const id = fieldOf(fieldOf(event, 'order') ?? fieldOf(event, 'data'), 'id')
  return typeof id === 'string' ? id : null
}

/**
 * Returns whether an event describes an older state of its object than one that you have applied: answer 200 to it, and
 * leave the object as it is. False where the event has no place in that order.
 * @param lastSequence the highest `sequence` that you have applied to the object of `subjectOf(event)`; null: none yet
 */
export const isOutdated = (event: WebhookEvent, lastSequence: number | null): boolean => {
  const sequence = fieldOf(event, 'sequence')
  if (subjectOf(event) === null || typeof sequence !== 'number') return false
  return lastSequence !== null && sequence < lastSequence
}
