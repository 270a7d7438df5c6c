import {
  createCursors,
  implement,
  keysetList,
  NEWEST_FIRST,
  refuse,
  reply,
  type Implementation,
  type ServiceContext,
} from '@causeway/chassis'
import { refunds } from '@causeway/contracts'
import { createRefundCreation, type CreationDependencies } from './create.ts'
import { openDescription } from './descriptions.ts'
import { presentRefund } from './refund.ts'
import { listRefunds } from './store.ts'

/** `refunds.refunds` (spec: Refund a fiat order; decisions §10 and §11). */
export const refundOperations = (
  { db, vault, ...context }: ServiceContext,
  dependencies: CreationDependencies,
): Implementation[] => {
  const cursors = createCursors(vault)
  return implement(refunds, {
    create: createRefundCreation({ db, vault, ...context }, dependencies),

    async list({ caller: { partnerId }, params: { orderKey }, query: { limit, cursor } }) {
      const list = keysetList(cursors, { name: `refunds:${partnerId}:${orderKey}`, order: NEWEST_FIRST })
      const after = list.after(cursor)
      if (after === null) return refuse('invalid_cursor')
      if ((await dependencies.payments.getOrder(partnerId, orderKey)) === null)
        return refuse('resource_not_found')
      const { items, nextCursor } = list.page({
        rows: await listRefunds(db, { partnerId, orderKey, ...after, limit: limit + 1 }),
        limit,
        present: (refund) => presentRefund(refund, openDescription(vault, refund)),
        positionOf: ({ createdAt, id }) => ({ at: createdAt, id }),
      })
      return reply({ refunds: items, next_cursor: nextCursor })
    },
  })
}
