import {
  beginStep,
  fingerprintOf,
  newId,
  NotDoneError,
  refuse,
  type Begun,
  type ServiceContext,
  type KeyUse,
  type OperationRequest,
} from '@causeway/chassis'
import { refunds, type RefundAnswer } from '@causeway/contracts'
import * as store from './store.ts'
import { sealDescription } from './descriptions.ts'

export type CreateRequest = OperationRequest<typeof refunds.create>

const BUSY = refuse('temporarily_unavailable')
const BUSY_WAIT_MS = 60
/** What a refund takes once the order's place is free. */
const RESERVE_MS = 500

const useOf = (request: CreateRequest): KeyUse => ({
  partnerId: request.caller.partnerId,
  operation: refunds.create.subject,
  key: request.idempotencyKey ?? '',
  fingerprint: fingerprintOf(request.params, request.body),
  requestId: request.requestId,
  now: request.now,
})

const pause = () => new Promise((resolve) => setTimeout(resolve, BUSY_WAIT_MS * (0.5 + Math.random())))

/**
 * Takes the key and the order's one place together, or finds what an earlier call under the key has come to. A second
 * key waits for the place: what is refunded meanwhile counts against it.
 * @throws NotDoneError when the place is not free in time
 */
export const createPlaceTaking = (
  { clock, db, vault }: Pick<ServiceContext, 'clock' | 'db' | 'vault'>,
  options: Readonly<{ graceMs: number; onBusy: () => void }>,
) => {
  const { graceMs, onBusy } = options
  return async (request: CreateRequest): Promise<Begun<RefundAnswer, 'temporarily_unavailable'>> => {
    const { body, deadlineMs, params } = request
    const use = useOf(request)
    const bounds = { leaseMs: graceMs, deadlineMs, clock }
    for (;;) {
      const begun = await beginStep<RefundAnswer, 'temporarily_unavailable'>(db, use, bounds, async (tx) => {
        const id = newId('refund')
        const now = clock.now()
        const lines = body.order_lines ? JSON.stringify(body.order_lines) : null
        const description = sealDescription(vault, id, body.description ?? null)
        const wish = [body.amount_cents, description, lines, use.key]
        const times = [now, new Date(now.getTime() + graceMs)]
        const values = [id, use.partnerId, params.orderKey, ...wish, ...times]
        const [held] = await tx.query(store.hold, values)
        return held ? { ok: true, recorded: id } : BUSY
      })
      if (begun.kind !== 'settled' || begun.outcome !== BUSY) return begun
      onBusy()
      if (clock.outsideMs() > deadlineMs - RESERVE_MS)
        throw new NotDoneError('Another refund of the order is under way')
      await pause()
    }
  }
}
