import { newId, type Transaction } from '@causeway/chassis'
import { announcementsOf, type EventDraft } from './events.ts'
import type { Relationship } from './relationship.ts'

/** Emits one event in the transaction of its cause. */
export const emit = (tx: Transaction, draft: EventDraft, now: Date): void =>
  tx.emit({ id: newId('event'), created_at: now.toISOString(), ...draft })

/** Emits what a change of a relationship means to others, in the transaction of the change. */
export const announce = (
  tx: Transaction,
  before: Relationship | null,
  after: Relationship,
  now: Date,
): void => {
  for (const draft of announcementsOf(before, after)) emit(tx, draft, now)
}
