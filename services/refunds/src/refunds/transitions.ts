import { newIdAt, outboxFields, releaseKey, type Clock, type Db } from '@causeway/chassis'
import { refunds } from '@causeway/contracts'
import type { Payments } from '../clients/payments.ts'
import { refundCompleted } from './events.ts'
import { retryDelayMs, statesBefore, type RefundState } from './state.ts'
import { answerOf, type ValidatedRefund, type RefundRecord } from './refund.ts'
import * as store from './store.ts'

export type TransitionDependencies = Readonly<{
  db: Db
  clock: Clock
  payments: Pick<Payments, 'recordRefund'>
}>

/** The idempotency key of the call that created the refund. */
export const keyOf = (refund: Pick<RefundRecord, 'partnerId' | 'idempotencyKey'>) => ({
  partnerId: refund.partnerId,
  operation: refunds.create.subject,
  key: refund.idempotencyKey,
})

/**
 * The transitions of a refund (docs/REFUNDS.md). Each names the states that it may start from and changes nothing when
 * the refund is in another one.
 */
export const createRefundTransitions = ({ db, clock, payments }: TransitionDependencies) => {
  const get = (partnerId: string, refundId: string) => store.getRefund(db, { partnerId, refundId })

  return {
    get,

    /** Claims a refund of a dead or stalled call: incrementing `attempts` fences that call out. */
    claim: (partnerId: string, refundId: string) => store.claimRefund(db, { partnerId, refundId }),

    /**
     * Moves a refund after its processor's answer. Returns it as stored, whichever worker has moved it, with the
     * `attempts` that the caller knows: to read another worker's claim does not make it the caller's.
     */
    move: async (
      refund: ValidatedRefund,
      to: 'succeeded' | 'failed' | 'unknown',
      processorRefundId: string | null = null,
    ): Promise<ValidatedRefund> => {
      const now = clock.now()
      const dueAt = to === 'failed' ? null : new Date(now.getTime() + retryDelayMs(refund.attempts))
      const moved = await store.moveRefund(db, {
        partnerId: refund.partnerId,
        refundId: refund.id,
        state: to,
        statesBefore: statesBefore(to),
        processorRefundId,
        completedAt: to === 'unknown' ? null : now,
        dueAt,
      })
      const stored = moved ?? (await get(refund.partnerId, refund.id))
      if (!stored) throw new Error('A refund that was sent no longer exists')
      return { ...(stored as ValidatedRefund), attempts: refund.attempts }
    },

    /**
     * Ends a refund that its processor failed and does not list. Null when the refund was claimed in the meantime: then
     * another worker may be asking for it again.
     */
    fail: ({ partnerId, id: refundId, attempts }: ValidatedRefund) =>
      store.failUnclaimed(db, { partnerId, refundId, now: clock.now(), attempts }),

    /**
     * Deletes a refund of which provably nothing was done, and releases its key. False when it has moved on, or was
     * claimed, in the meantime.
     */
    withdraw: (refund: RefundRecord, from: Extract<RefundState, 'requested' | 'sent'>): Promise<boolean> =>
      db.transaction(async (tx) => {
        const { partnerId, id: refundId, attempts } = refund
        const deleted = await store.deleteUnsent(tx, { partnerId, refundId, state: from, attempts })
        if (deleted) await releaseKey(tx, keyOf(refund))
        return deleted !== null
      }),

    /**
     * Has payments record a refund that was made at its order, then moves it to `reconciled` and emits
     * `refund.completed`. Repeating it changes and emits nothing.
     * @throws NotDoneError when payments cannot be reached; the refund stays `succeeded`
     */
    recordAtOrder: async (refund: ValidatedRefund): Promise<void> => {
      const { partnerSees } = await payments.recordRefund(refund)
      const now = clock.now()
      const reconciled = await store.reconcileRefund(db, {
        ...keyOf(refund),
        ...outboxFields(
          refundCompleted(refund, { eventId: newIdAt('event', now.getTime()), partnerSees, now }),
        ),
        replyJson: JSON.stringify(answerOf(refund)),
        refundId: refund.id,
        now,
      })
      if (reconciled) db.emitted()
    },
  }
}
export type RefundTransitions = ReturnType<typeof createRefundTransitions>
