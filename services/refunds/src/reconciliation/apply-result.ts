import { isId, type Clock } from '@causeway/chassis'
import type { CardRefund } from '@causeway/rails/cards'
import type { Payments } from '../clients/payments.ts'
import { compare } from './comparison.ts'
import { sideAtProcessor, sideHere } from './difference.ts'
import type { ComparedRefund } from './compared-refunds-store.ts'
import type { Differences } from './differences.ts'
import type { LateFailures } from './late-failure.ts'
import type { LateSuccess } from './late-success.ts'
import type { RecordExternalRefund } from './external-refund.ts'

export type ResultDependencies = Readonly<{
  clock: Clock
  payments: Pick<Payments, 'reconcileOrder'>
  differences: Differences
  recordExternal: RecordExternalRefund
  recordLateSuccess: LateSuccess
  recordLateFailure: LateFailures['recordListed']
}>

/** Result of comparing a refund of the processor's list. */
type AppliedResult = 'agrees' | 'recorded' | 'differs'

/** Compares a refund of the processor's list with its record, and applies what follows from that. */
export const createResultApplication = (dependencies: ResultDependencies) => {
  const { clock, payments, differences, recordExternal, recordLateSuccess, recordLateFailure } = dependencies

  /** Has payments count a refund that was made outside the API, and records it; otherwise it is missing here. */
  const recordUnrecorded = async (
    processor: string,
    theirs: CardRefund,
    orderKey: string,
  ): Promise<AppliedResult> => {
    const { processorRefundId, refundId } = theirs
    const order = await payments.reconcileOrder(processor, orderKey, processorRefundId)
    if (order?.is_counted) {
      const { is_counted: _, ...whose } = order
      const what = { processor_refund_id: processorRefundId, refund_id: refundId, currency: theirs.currency }
      const made = { amount_cents: theirs.amountCents, made_at: theirs.createdAt.toISOString() }
      const isNew = await recordExternal({ ...whose, order_key: orderKey, processor, ...what, ...made })
      return isNew ? 'recorded' : 'agrees'
    }
    await differences.upsert({
      kind: 'missing_here',
      processor,
      processorRefundId,
      partnerId: order?.partner_id ?? null,
      orderKey,
      processorOrderId: order?.processor_order_id ?? null,
      refundId: isId('refund', refundId) ? refundId : null,
      here: null,
      atProcessor: sideAtProcessor(theirs),
    })
    return 'differs'
  }

  const upsertOther = (theirs: CardRefund, ours: ComparedRefund, kind: 'other_amount' | 'other_state') =>
    differences.upsert({
      kind,
      processor: ours.processor,
      processorRefundId: theirs.processorRefundId,
      partnerId: ours.partnerId,
      orderKey: ours.orderKey,
      processorOrderId: ours.processorOrderId,
      refundId: ours.id,
      here: sideHere(ours),
      atProcessor: sideAtProcessor(theirs),
    })

  return async (
    processor: string,
    theirs: CardRefund,
    ours: ComparedRefund | null,
  ): Promise<AppliedResult> => {
    const result = compare(theirs, ours, clock.now())
    if (result === 'unrecorded' && theirs.orderKey !== null)
      return recordUnrecorded(processor, theirs, theirs.orderKey)
    if (ours === null) return 'agrees'
    if (result === 'late_success' && (await recordLateSuccess(ours, theirs))) return 'agrees'
    if (result === 'late_failure' && (await recordLateFailure(ours, theirs.processorRefundId)))
      return 'agrees'
    const kind = result === 'late_success' || result === 'late_failure' ? 'other_state' : result
    if (kind !== 'other_amount' && kind !== 'other_state') return 'agrees'
    await upsertOther(theirs, ours, kind)
    return 'differs'
  }
}
