import {
  claimIdempotencyKey,
  fingerprintOf,
  newId,
  NotDoneError,
  refuse,
  type Claim,
  type ServiceContext,
  type KeyUse,
  type OperationRequest,
} from '@causeway/chassis'
import { refunds, type RefundAnswer } from '@causeway/contracts'
import { setTimeout as sleep } from 'node:timers/promises'
import { sealDescription } from './descriptions.ts'
import { claimSlot } from './store.ts'

export type CreateRequest = OperationRequest<typeof refunds.create>

const BUSY = refuse('temporarily_unavailable')
const BUSY_WAIT_MS = 60
/** What a refund takes once the order's slot is free. */
const RESERVE_MS = 500

const useOf = (request: CreateRequest): KeyUse => ({
  partnerId: request.caller.partnerId,
  operation: refunds.create.subject,
  key: request.idempotencyKey ?? '',
  fingerprint: fingerprintOf(request.params, request.body),
  requestId: request.requestId,
  now: request.now,
})

const pause = () => sleep(BUSY_WAIT_MS * (0.5 + Math.random()))

/**
 * Claims the key and the order's one slot together, or gives the outcome of an earlier call under the key. A second key
 * waits for the slot: what is refunded in the meantime counts against its ceiling.
 * @throws NotDoneError when the slot is not free 500 ms before the caller's deadline
 */
export const createSlotClaim = (
  { clock, db, vault }: Pick<ServiceContext, 'clock' | 'db' | 'vault'>,
  options: Readonly<{ graceMs: number; wakeCompletion: () => void }>,
) => {
  const { graceMs, wakeCompletion } = options
  return async (request: CreateRequest): Promise<Claim<RefundAnswer, 'temporarily_unavailable'>> => {
    const { body, deadlineMs, params } = request
    const use = useOf(request)
    const bounds = { leaseMs: graceMs, deadlineMs, clock }
    for (;;) {
      const claim = await claimIdempotencyKey<RefundAnswer, 'temporarily_unavailable'>(
        db,
        use,
        bounds,
        async (tx) => {
          const id = newId('refund')
          const now = clock.now()
          const claimed = await claimSlot(tx, {
            refundId: id,
            partnerId: use.partnerId,
            orderKey: params.orderKey,
            amountCents: body.amount_cents,
            descriptionSealed: sealDescription(vault, id, body.description ?? null),
            orderLines: body.order_lines ? JSON.stringify(body.order_lines) : null,
            idempotencyKey: use.key,
            now,
            dueAt: new Date(now.getTime() + graceMs),
          })
          return claimed ? { ok: true, recorded: id } : BUSY
        },
      )
      if (claim.kind !== 'answered' || claim.outcome !== BUSY) return claim
      wakeCompletion()
      if (clock.outsideMs() > deadlineMs - RESERVE_MS)
        throw new NotDoneError('Another refund of the order is in progress')
      await pause()
    }
  }
}
