import { isId, type Clock } from '@causeway/chassis'
import type { CardRefund } from '@causeway/rails'
import type { Payments } from '../clients/payments.ts'
import { compare } from './comparison.ts'
import { sideAtProcessor, sideHere } from './difference.ts'
import type { ComparedRefund } from './compared-refunds-store.ts'
import type { Differences } from './differences.ts'
import type { LateSuccess } from './late-success.ts'
import type { RecordExternalRefund } from './external-refund.ts'

export type ResultDependencies = Readonly<{
  clock: Clock
  payments: Pick<Payments, 'follow'>
  differences: Differences
  record: RecordExternalRefund
  recordLateSuccess: LateSuccess
}>

/** What became of a refund that its processor told. */
export type Compared = 'agrees' | 'recorded' | 'differs'

/** Judges a refund of a processor against its record, and does what follows from that. */
export const createResultHandler = (parts: ResultDependencies) => {
  const { clock, payments, differences, record, recordLateSuccess } = parts

  /** Has payments count a refund that nobody asked for here, and records it; otherwise it is missing here. */
  const recordOutside = async (
    processor: string,
    theirs: CardRefund,
    orderKey: string,
  ): Promise<Compared> => {
    const { processorRefundId, refundId } = theirs
    const order = await payments.follow(processor, orderKey, processorRefundId)
    if (order?.is_counted) {
      const { is_counted: _, ...whose } = order
      const what = { processor_refund_id: processorRefundId, refund_id: refundId, currency: theirs.currency }
      const made = { amount_cents: theirs.amountCents, made_at: theirs.createdAt.toISOString() }
      const isNew = await record({ ...whose, order_key: orderKey, processor, ...what, ...made })
      return isNew ? 'recorded' : 'agrees'
    }
    await differences.keep({
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

  const keepOther = (theirs: CardRefund, ours: ComparedRefund, kind: 'other_amount' | 'other_state') =>
    differences.keep({
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

  return async (processor: string, theirs: CardRefund, ours: ComparedRefund | null): Promise<Compared> => {
    const verdict = compare(theirs, ours, clock.now())
    if (verdict === 'unrecorded' && theirs.orderKey !== null)
      return recordOutside(processor, theirs, theirs.orderKey)
    if (ours === null) return 'agrees'
    if (verdict === 'late_success' && (await recordLateSuccess(ours, theirs))) return 'agrees'
    const kind = verdict === 'late_success' ? 'other_state' : verdict
    if (kind !== 'other_amount' && kind !== 'other_state') return 'agrees'
    await keepOther(theirs, ours, kind)
    return 'differs'
  }
}
