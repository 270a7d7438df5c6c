import type { Db } from '@causeway/chassis'
import { RailError, type CardProcessor, type CardRefund } from '@causeway/rails'
import { sideHere, type DifferenceRecord } from './difference.ts'
import { listMatching, markFound, type ComparedRefund } from './compared-refunds-store.ts'
import { createResultHandler, type ResultDependencies } from './result.ts'

type Parts = ResultDependencies & Readonly<{ db: Db; processorOf: (key: string) => CardProcessor }>

const isOf = (theirs: CardRefund, ours: Pick<ComparedRefund, 'id' | 'processorRefundId'>): boolean =>
  theirs.refundId === ours.id || theirs.processorRefundId === ours.processorRefundId

/**
 * Compares refunds with their processor. What was made outside the API is recorded; every other disagreement is kept
 * as a difference. Doing it again, or in two replicas at once, changes nothing.
 */
export const createComparison = (parts: Parts) => {
  const { db, clock, payments, processorOf, differences } = parts
  const judge = createResultHandler(parts)

  /** The refund as the list of its payment has it; null also when the processor knows no such payment. */
  const find = async (key: string, processorOrderId: string, is: (refund: CardRefund) => boolean) => {
    try {
      return (await processorOf(key).listRefunds(processorOrderId)).find(is) ?? null
    } catch (error) {
      if (error instanceof RailError && !error.retryable) return null
      throw error
    }
  }

  /** @returns how many were recorded */
  const compareAll = async (processor: string, refunds: readonly CardRefund[]): Promise<number> => {
    const known = await listMatching(db, {
      processor,
      refundIds: refunds.flatMap(({ refundId }) => refundId ?? []),
      processorRefundIds: refunds.map(({ processorRefundId }) => processorRefundId),
    })
    if (known.length > 0)
      await markFound(db, { processor, refundIds: known.map(({ id }) => id), now: clock.now() })
    const agreeing: string[] = []
    let recorded = 0
    for (const theirs of refunds) {
      const ours = known.find((each) => isOf(theirs, each)) ?? null
      const compared = await judge(processor, theirs, ours)
      if (compared !== 'differs') agreeing.push(theirs.processorRefundId)
      if (compared === 'recorded') recorded += 1
    }
    await differences.resolve(processor, agreeing)
    return recorded
  }

  /** A refund of ours that no list has told: the processor is asked for its payment, before it is said to be missing. */
  const lookFor = async (ours: ComparedRefund): Promise<void> => {
    const { processor, processorOrderId, processorRefundId } = ours
    const theirs = await find(processor, processorOrderId, (refund) => isOf(refund, ours))
    if (theirs) await compareAll(processor, [theirs])
    if (theirs || processorRefundId === null) return
    // Neither side has made it.
    if (sideHere(ours).status === 'failed') return differences.resolve(processor, [processorRefundId])
    await differences.keep({
      kind: 'missing_at_processor',
      processor,
      processorRefundId,
      partnerId: ours.partnerId,
      orderKey: ours.orderKey,
      processorOrderId,
      refundId: ours.id,
      here: sideHere(ours),
      atProcessor: null,
    })
  }

  /** Looks at a difference again that the run's own list does not reach. */
  const lookAgain = async (difference: DifferenceRecord): Promise<void> => {
    const { processor, processorRefundId, orderKey } = difference
    const [ours] = await listMatching(db, {
      processor,
      refundIds: [],
      processorRefundIds: [processorRefundId],
    })
    const order =
      difference.processorOrderId === null && orderKey !== null
        ? await payments.follow(processor, orderKey, processorRefundId)
        : null
    const payment = difference.processorOrderId ?? order?.processor_order_id ?? null
    const theirs = payment
      ? await find(processor, payment, (refund) => refund.processorRefundId === processorRefundId)
      : null
    if (theirs) await compareAll(processor, [theirs])
    else if (ours) await lookFor(ours)
    else await differences.keep(difference)
  }

  return { compareAll, lookFor, lookAgain }
}
export type Comparison = ReturnType<typeof createComparison>
