import type { RelayedReply } from '@causeway/chassis'
import { HELD, type PendingAction } from '@causeway/contracts'

export const heldReply = (pendingAction: PendingAction): RelayedReply => ({
  ok: true,
  variant: HELD,
  data: Buffer.from(JSON.stringify({ pending_action: pendingAction })),
})
