import type { RelayedReply } from '@causeway/chassis'
import type { PendingAction } from '@causeway/contracts'

/** Variant of the reply to an action that waits for a second person: 202 instead of the route's status. */
export const HELD = 'held'

export const heldReply = (pendingAction: PendingAction): RelayedReply => ({
  ok: true,
  variant: HELD,
  data: Buffer.from(JSON.stringify({ pending_action: pendingAction })),
})

/** The id of the pending action where a reply says that there is one. */
export const heldIdOf = (answer: RelayedReply): string | null => {
  if (!answer.ok || answer.variant !== HELD) return null
  const { pending_action: action } = JSON.parse(Buffer.from(answer.data).toString('utf8')) as {
    pending_action: PendingAction
  }
  return action.pending_action_id
}
