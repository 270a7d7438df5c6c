import { newId } from '@causeway/chassis'
import { cardNotices, type FiatOrder } from '@causeway/contracts'
import type { RunningPayments } from './running-payments.ts'

/** Actions of buyers and processors on card orders, each followed by a notice. */
export const createCardCalls = (payments: RunningPayments) => {
  const sendNotice = async (order: FiatOrder): Promise<void> => {
    const { payment_id } = payments.cards.ofOrder(order.order_key)
    const notice = { notice_id: newId('request'), processor: 'processor', event: 'changed', kind: 'payment' }
    const input = { params: { processor: 'processor' }, body: payments.cards.sign({ ...notice, payment_id }) }
    const answer = await payments.ask(cardNotices.receive, { kind: 'public' }, input)
    if (!answer.ok) throw new Error(`A notice was answered ${answer.code}`)
  }
  return {
    sendNotice,
    pay: async (order: FiatOrder, payer: { ip: string | null; email: string | null } | null = null) => {
      const payment = payments.cards.ofOrder(order.order_key)
      payment.status = 'completed'
      if (payer !== null) payment.payer = payer
      await sendNotice(order)
    },
    dispute: async (order: FiatOrder) => {
      const { disputes } = payments.cards.ofOrder(order.order_key)
      disputes.push({ dispute_id: newId('request'), amount_cents: null, currency: null })
      await sendNotice(order)
    },
  }
}
export type CardCalls = ReturnType<typeof createCardCalls>
