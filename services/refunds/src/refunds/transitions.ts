import {
  newId,
  releaseStep,
  reply,
  settleStep,
  type Clock,
  type Db,
  type Logger,
  type Vault,
} from '@causeway/chassis'
import { refunds } from '@causeway/contracts'
import {
  effectOf,
  type CardEffect,
  type CardProcessor,
  type CardRefund,
  type RefundRequest,
} from '@causeway/rails'
import type { Payments } from '../clients/payments.ts'
import { refundCompleted } from './events.ts'
import { nextLookMs, statesBefore, type RefundState } from './state.ts'
import { answerOf, type ValidatedRefund, type RefundRecord } from './refund.ts'
import * as store from './store.ts'
import { openDescription } from './descriptions.ts'

export type TransitionDependencies = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  vault: Vault
  payments: Payments
  processorOf: (key: string) => CardProcessor
}>

/** What asking a processor for a refund came to. `error` is null when it answered. */
export type Asked = Readonly<{ effect: CardEffect | 'answered'; refund: ValidatedRefund; error: unknown }>

const STATE_OF: Readonly<Record<CardRefund['status'], RefundState>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  pending: 'unknown',
}

/** The key under which the refund was asked for. */
export const keyOf = (refund: RefundRecord) => ({
  partnerId: refund.partnerId,
  operation: refunds.create.subject,
  key: refund.idempotencyKey,
})

const requestOf = (refund: ValidatedRefund, description: string | null): RefundRequest => ({
  processorOrderId: refund.processorOrderId,
  refundId: refund.id,
  amountCents: refund.amountCents,
  description,
  orderLines:
    refund.orderLines?.map((line) => ({
      merchantOrderLineId: line.merchant_order_line_id,
      quantity: line.quantity,
    })) ?? null,
})

/** The moves of a refund (docs/REFUNDS.md): each is made from the states that may come before it, or not at all. */
export const createRefundTransitions = (parts: TransitionDependencies) => {
  const { db, clock, log, vault, payments, processorOf } = parts

  const find = (partnerId: string, refundId: string) => store.getRefund(db, { partnerId, refundId })

  /** The refund as it is after the move, whoever has made it. */
  const move = async (refund: ValidatedRefund, to: RefundState, processorRefundId: string | null = null) => {
    const now = clock.now()
    const isDone = to === 'succeeded' || to === 'failed'
    const dueAt = to === 'failed' ? null : new Date(now.getTime() + nextLookMs(refund.attempts))
    const moved = await store.moveRefund(db, {
      partnerId: refund.partnerId,
      refundId: refund.id,
      state: to,
      statesBefore: statesBefore(to),
      processorRefundId,
      completedAt: isDone ? now : null,
      dueAt,
    })
    const known = moved ?? (await find(refund.partnerId, refund.id))
    if (!known) throw new Error('A refund that was sent is gone')
    return known as ValidatedRefund
  }

  /** Asks the processor. The refund's own id is the idempotency key: asked twice, it is one refund. */
  const ask = async (refund: ValidatedRefund): Promise<Asked> => {
    try {
      const made = await processorOf(refund.processor).refund(
        requestOf(refund, openDescription(vault, refund)),
      )
      const moved = await move(refund, STATE_OF[made.status], made.processorRefundId)
      return { effect: 'answered', refund: moved, error: null }
    } catch (error) {
      const effect = effectOf(error)
      log.warn({ error, refundId: refund.id, effect }, 'A processor did not make a refund')
      if (effect === 'not_sent') return { effect, refund, error }
      return { effect, refund: await move(refund, effect === 'refused' ? 'failed' : 'unknown'), error }
    }
  }

  /** The refund as the processor tells of it, or null where its list does not have it. */
  const read = async (refund: ValidatedRefund): Promise<ValidatedRefund | null> => {
    const known = await processorOf(refund.processor).listRefunds(refund.processorOrderId)
    const made = known.find(({ refundId }) => refundId === refund.id)
    return made ? move(refund, STATE_OF[made.status], made.processorRefundId) : null
  }

  return {
    find,
    ask,

    /** Claims a refund of a dead or stalled call: its `attempts` fence that call out. */
    claim: (partnerId: string, refundId: string) => store.claimRefund(db, { partnerId, refundId }),

    /** After the processor's answer that it failed (5xx): it did, unless its list has the refund all the same. */
    async confirmFailure(refund: ValidatedRefund): Promise<ValidatedRefund> {
      const { partnerId, id: refundId, attempts } = refund
      const failed = await read(refund)
      return (
        failed ??
        (await store.failUnclaimed(db, { partnerId, refundId, now: clock.now(), attempts })) ??
        refund
      )
    },

    /**
     * Finds out what became of a refund without an answer: reads the processor, and where it knows nothing of the
     * refund asks once more under the same id. Only the asking tells for certain: a request may still be under way.
     */
    findOut: async (refund: ValidatedRefund): Promise<ValidatedRefund> =>
      (await read(refund)) ?? (await ask(refund)).refund,

    /** Takes back a refund of which provably nothing was done, and gives its key back. False when it has moved on. */
    withdraw: (refund: RefundRecord, from: 'requested' | 'sent'): Promise<boolean> =>
      db.transaction(async (tx) => {
        const { partnerId, id: refundId, attempts } = refund
        const gone = await store.deleteUnsent(tx, { partnerId, refundId, state: from, attempts })
        if (gone) await releaseStep(tx, keyOf(refund))
        return gone !== null
      }),

    /** Has the order count a refund that was made, and tells of it: in that order, and once. */
    async book(refund: ValidatedRefund): Promise<void> {
      const { partnerSees } = await payments.record(refund)
      await db.transaction(async (tx) => {
        const now = clock.now()
        const moved = await store.moveRefund(tx, {
          partnerId: refund.partnerId,
          refundId: refund.id,
          state: 'reconciled',
          statesBefore: statesBefore('reconciled'),
          processorRefundId: null,
          completedAt: now,
          dueAt: null,
        })
        if (!moved) return
        tx.emit(refundCompleted(moved, { eventId: newId('event'), partnerSees, now }))
        await settleStep(tx, keyOf(moved), reply(answerOf(moved)))
      })
    },
  }
}
export type RefundTransitions = ReturnType<typeof createRefundTransitions>
