import type { Db } from '@causeway/chassis'
import { RailError } from '@causeway/rails'
import type { CardProcessor, CardRefund } from '@causeway/rails/cards'
import { createResultApplication, type ResultDependencies } from './apply-result.ts'
import { listMatching, markFound, type ComparedRefund } from './compared-refunds-store.ts'
import { sideHere, type DifferenceRecord } from './difference.ts'

type ComparisonDependencies = ResultDependencies &
  Readonly<{ db: Db; processorOf: (key: string) => CardProcessor }>

const isOf = (theirs: CardRefund, ours: Pick<ComparedRefund, 'id' | 'processorRefundId'>): boolean =>
  theirs.refundId === ours.id || theirs.processorRefundId === ours.processorRefundId

/** A refund in the list of its payment; null also when the processor has no such payment. */
const findInList = async (
  processor: CardProcessor,
  processorOrderId: string,
  is: (refund: CardRefund) => boolean,
): Promise<CardRefund | null> => {
  try {
    return (await processor.listRefunds(processorOrderId)).find(is) ?? null
  } catch (error) {
    if (error instanceof RailError && !error.retryable) return null
    throw error
  }
}

/**
 * Compares refunds with their processor. Refunds made outside the API are recorded; all other disagreements are stored as
 * differences. Repeating it, or running it in two replicas concurrently, changes nothing.
 */
export const createComparison = (dependencies: ComparisonDependencies) => {
  const { db, clock, payments, processorOf, differences } = dependencies
  const apply = createResultApplication(dependencies)

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
      const applied = await apply(processor, theirs, ours)
      if (applied !== 'differs') agreeing.push(theirs.processorRefundId)
      if (applied === 'recorded') recorded += 1
    }
    await differences.resolve(processor, agreeing)
    return recorded
  }

  /** Looks a refund of ours that no list has shown up at its own payment, before it counts as missing. */
  const checkUnfound = async (ours: ComparedRefund): Promise<void> => {
    const { processor, processorOrderId, processorRefundId } = ours
    const theirs = await findInList(processorOf(processor), processorOrderId, (refund) => isOf(refund, ours))
    if (theirs) await compareAll(processor, [theirs])
    if (theirs || processorRefundId === null) return
    // Failed here and not made there: the two sides agree.
    if (sideHere(ours).status === 'failed') return differences.resolve(processor, [processorRefundId])
    await differences.upsert({
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

  /** Checks a difference again that the run's own list does not reach. */
  const recheck = async (difference: DifferenceRecord): Promise<void> => {
    const { processor, processorRefundId, orderKey } = difference
    const [ours] = await listMatching(db, {
      processor,
      refundIds: [],
      processorRefundIds: [processorRefundId],
    })
    const order =
      difference.processorOrderId === null && orderKey !== null
        ? await payments.reconcileOrder(processor, orderKey, processorRefundId)
        : null
    const payment = difference.processorOrderId ?? order?.processor_order_id ?? null
    const theirs = payment
      ? await findInList(
          processorOf(processor),
          payment,
          (refund) => refund.processorRefundId === processorRefundId,
        )
      : null
    if (theirs) await compareAll(processor, [theirs])
    else if (ours) await checkUnfound(ours)
    else await differences.upsert(difference)
  }

  return { compareAll, checkUnfound, recheck }
}
export type Comparison = ReturnType<typeof createComparison>
