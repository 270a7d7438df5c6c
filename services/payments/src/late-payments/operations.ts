import {
  createCursors,
  implement,
  keysetList,
  OLDEST_FIRST,
  refuse,
  reply,
  type Implementation,
  type ServiceContext,
} from '@causeway/chassis'
import { latePayments } from '@causeway/contracts'
import { presentLatePayment } from './domain.ts'
import { listLatePayments } from './store.ts'

/** `payments.late-payments`: unattributed money of the kind `late` (decisions §52). */
export const latePaymentOperations = ({
  db,
  vault,
}: Pick<ServiceContext, 'db' | 'vault'>): Implementation[] => {
  const list = keysetList(createCursors(vault), { name: 'late-payments', order: OLDEST_FIRST })
  return implement(latePayments, {
    async list({ query: { cursor, limit } }) {
      const from = list.after(cursor)
      if (from === null) return refuse('invalid_cursor')
      const { items, nextCursor } = list.page({
        rows: await listLatePayments(db, { afterAt: from.at, afterId: from.id, limit }),
        limit,
        present: presentLatePayment,
        positionOf: (row) => ({ at: row.receivedAt, id: row.moneyId }),
        continuesWhenFull: true,
      })
      return reply({ late_payments: items, next_cursor: nextCursor })
    },
  })
}
