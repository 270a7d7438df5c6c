import { newIdAt, type ServiceContext, type Transaction } from '@causeway/chassis'
import type { CardPayment } from '@causeway/rails/cards'
import { endCardMoney, insertCardMoney, reopenCardMoney } from '../unattributed-money/store.ts'
import { cardMoneyOf, type Settlement } from './transitions.ts'
import type { LockedOrder } from './write.ts'

const succeededCents = ({ refunds }: CardPayment): number =>
  refunds
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amountCents }) => sum + amountCents, 0)

/** Checks whether this payment was already completed at its last read and did not pay its order: then it is listed. */
const wasListed = ({ status, processorStatus }: LockedOrder, payment: CardPayment): boolean =>
  status === 'pending' && processorStatus === payment.processorStatus && payment.status === 'completed'

/**
 * Lists what a payment brought that does not count for its order, once, and ends it: when the processor has refunded it,
 * or when it counts after all. It is open again when that refund fails afterwards. The order is locked.
 */
export const recordCardMoney = async (
  tx: Transaction,
  { log }: Pick<ServiceContext, 'log'>,
  {
    locked,
    payment,
    settled,
    now,
  }: Readonly<{
    locked: LockedOrder
    payment: CardPayment
    settled: Settlement
    now: Date
  }>,
): Promise<void> => {
  const { processor } = locked
  const { processorOrderId } = payment
  const money = cardMoneyOf(locked, payment)
  if (wasListed(locked, payment) && settled.order.status !== 'pending')
    await endCardMoney(tx, { processor, processorOrderId, endedBy: 'counted', upTo: payment.paidCents, now })
  if (money === null) return
  const listed = await insertCardMoney(tx, {
    id: newIdAt('unattributedMoney', now.getTime()),
    kind: money.kind,
    unit: money.currency,
    amount: String(money.amountCents),
    orderKey: locked.orderKey,
    partnerId: locked.partnerId,
    partnerCustomerId: locked.partnerCustomerId,
    merchantId: locked.merchantId,
    processor,
    processorOrderId,
    reason: money.reason,
    now,
  })
  if (listed !== null)
    log.error(
      { event: 'card_payment.unattributed', kind: money.kind, orderKey: String(locked.orderKey), processor },
      'A captured card payment does not count for its order; it is listed as unattributed money',
    )
  const upTo = succeededCents(payment)
  if (money.kind !== 'excess' && upTo > 0)
    await endCardMoney(tx, { processor, processorOrderId, endedBy: 'refund', upTo, now })
  if (payment.refunds.some(({ status }) => status === 'failed'))
    await reopenCardMoney(tx, { processor, processorOrderId, refunded: upTo })
}
