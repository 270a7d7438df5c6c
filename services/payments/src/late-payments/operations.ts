import {
  createCursors,
  implement,
  refuse,
  reply,
  type ServiceContext,
  type Implementation,
} from '@causeway/chassis'
import { latePayments } from '@causeway/contracts'
import { presentLatePayment } from './domain.ts'
import { pageOfLatePayments } from './store.ts'

const LIST = 'late-payments'

/** `payments.late-payments`: money that reached an order after its end (decisions §31). */
export const latePaymentOperations = ({
  db,
  vault,
}: Pick<ServiceContext, 'db' | 'vault'>): Implementation[] => {
  const cursors = createCursors(vault)
  return implement(latePayments, {
    async list({ query }) {
      const from = query.cursor === null ? ['-infinity', ''] : cursors.decode(LIST, query.cursor)
      if (from === null) return refuse('invalid_cursor')
      const [at = '', id = ''] = from
      const rows = await pageOfLatePayments(db, { at, id }, query.limit)
      const last = rows.length === query.limit ? rows.at(-1) : undefined
      return reply({
        late_payments: rows.map(presentLatePayment),
        next_cursor: last ? cursors.encode(LIST, [last.receivedAt.toISOString(), last.id]) : null,
      })
    },
  })
}
