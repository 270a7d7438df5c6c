import {
  createCursors,
  implement,
  pageOf,
  refuse,
  reply,
  type ServiceContext,
  type Implementation,
} from '@causeway/chassis'
import { refunds } from '@causeway/contracts'
import { presentRefund } from './refund.ts'
import * as store from './store.ts'
import { openDescription } from './descriptions.ts'
import { createRefundCreation, type CreationParts } from './create.ts'

/** Before every refund: where the first page begins. */
const NEWEST = ['9999-12-31T00:00:00Z', '']

/** `refunds.refunds` (spec: Refund a fiat order; decisions §10 and §11). */
export const refundOperations = (context: ServiceContext, parts: CreationParts): Implementation[] => {
  const cursors = createCursors(context.vault)
  return implement(refunds, {
    create: createRefundCreation(context, parts),

    async list({ caller: { partnerId }, params: { orderKey }, query: { limit, cursor } }) {
      const name = `refunds:${partnerId}:${orderKey}`
      const before = cursor === null ? NEWEST : cursors.decode(name, cursor)
      if (before === null) return refuse('invalid_cursor')
      if ((await parts.payments.read(partnerId, orderKey)) === null) return refuse('resource_not_found')
      const rows = await context.db.query(store.list, [partnerId, orderKey, ...before, limit + 1])
      const { items, last } = pageOf({
        rows,
        limit,
        present: (refund) => presentRefund(refund, openDescription(context.vault, refund)),
      })
      return reply({
        refunds: [...items],
        next_cursor: last ? cursors.encode(name, [last.createdAt.toISOString(), last.id]) : null,
      })
    },
  })
}
