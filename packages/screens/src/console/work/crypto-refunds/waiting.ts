import { pendingActions, type PendingAction } from '@causeway/contracts'
import { html, notice, type Html } from '../../../design/index.ts'
import type { StaffRequest } from '../../frame.ts'
import { pendingActionPath } from '../paths.ts'
import { personOf } from '../words.ts'

/** Reads the action on a target that waits for a second person; null without one. */
export const readWaiting = async (
  { ask }: StaffRequest,
  target: string,
  hasFourEyes: boolean,
): Promise<PendingAction | null> => {
  if (!hasFourEyes) return null
  const reply = await ask(pendingActions.list, { query: { target, limit: '1' } })
  return reply.ok ? (reply.value.pending_actions[0] ?? null) : null
}

export const waitingNotice = ({ pending_action_id: id, ...requested }: PendingAction): Html =>
  notice(
    'warning',
    'A refund is waiting for a second person.',
    html`Requested by ${personOf(requested.requested_by, requested.requested_by_name)}.
      <a href="${pendingActionPath(id)}">Review it, then confirm or decline it</a>`,
  )
