import {
  createCursors,
  implement,
  isId,
  keysetList,
  NEWEST_FIRST,
  OLDEST_FIRST,
  refuse,
  reply,
  type Implementation,
  type Outcome,
  type ServiceContext,
} from '@causeway/chassis'
import { OrderKey, refunds, type RefundAnswer } from '@causeway/contracts'
import { createRefundCreation, type CreationDependencies } from './create.ts'
import { openDescription } from './descriptions.ts'
import { presentForStaff, presentRefund, type RefundForStaff } from './refund.ts'
import { findForStaff, listPending, listRefunds } from './store.ts'

/** Staff refund as a client of the partner that has no limit: their refunds count in a day of their own. */
const STAFF = { kind: 'partner', clientId: 'staff', dailyRefundLimitCents: Number.MAX_SAFE_INTEGER } as const
/** Keeps the keys of staff apart from the partner's. */
const STAFF_KEY = 'staff '

const isOrderOf = (partnerId: string, orderKey: string): boolean =>
  isId('partner', partnerId) && OrderKey.safeParse(orderKey).success

type PageQuery = Readonly<{ limit: number; cursor: string | null }>

/** `refunds.refunds` (spec: Refund a fiat order; decisions §10 and §11). */
export const refundOperations = (
  { db, vault, ...context }: ServiceContext,
  dependencies: CreationDependencies,
): Implementation[] => {
  const cursors = createCursors(vault)
  const create = createRefundCreation({ db, vault, ...context }, dependencies)
  const present = (refund: RefundForStaff) => presentForStaff(refund, openDescription(vault, refund))
  const pageOfOrder = async (partnerId: string, orderKey: string, { limit, cursor }: PageQuery) => {
    const list = keysetList(cursors, { name: `refunds:${partnerId}:${orderKey}`, order: NEWEST_FIRST })
    const after = list.after(cursor)
    if (after === null) return refuse('invalid_cursor')
    const { items, nextCursor } = list.page({
      rows: await listRefunds(db, { partnerId, orderKey, ...after, limit: limit + 1 }),
      limit,
      present: (refund) => presentRefund(refund, openDescription(vault, refund)),
      positionOf: ({ createdAt, id }) => ({ at: createdAt, id }),
    })
    return reply({ refunds: items, next_cursor: nextCursor })
  }

  return implement(refunds, {
    create: (request) => create({ ...request, isByStaff: false }),

    createByStaff({ params: { partnerId, orderKey }, body, idempotencyKey, ...request }) {
      if (!isOrderOf(partnerId, orderKey)) return Promise.resolve(refuse('resource_not_found'))
      const caller = { ...STAFF, partnerId }
      const key = `${STAFF_KEY}${idempotencyKey ?? ''}`
      const asked = { ...request, caller, params: { orderKey }, body, idempotencyKey: key, isByStaff: true }
      // Neither capabilities nor limits of the partner count, so their refusals are left out.
      return create(asked) as Promise<Outcome<RefundAnswer, (typeof refunds.createByStaff.refusals)[number]>>
    },

    async list({ caller: { partnerId }, params: { orderKey }, query }) {
      const page = await pageOfOrder(partnerId, orderKey, query)
      if (!page.ok || (await dependencies.payments.getOrder(partnerId, orderKey)) !== null) return page
      return refuse('resource_not_found')
    },

    async listByStaff({ params: { partnerId, orderKey }, query }) {
      return isOrderOf(partnerId, orderKey)
        ? pageOfOrder(partnerId, orderKey, query)
        : reply({ refunds: [], next_cursor: null })
    },

    async listPending({ query: { limit, cursor } }) {
      const list = keysetList(cursors, { name: 'refunds:pending', order: OLDEST_FIRST })
      const after = list.after(cursor)
      if (after === null) return refuse('invalid_cursor')
      const { items, nextCursor } = list.page({
        rows: await listPending(db, { ...after, limit }),
        limit,
        present,
        positionOf: ({ createdAt, id }) => ({ at: createdAt, id }),
        continuesWhenFull: true,
      })
      return reply({ refunds: items, next_cursor: nextCursor })
    },

    async getByStaff({ params: { refundId } }) {
      const refund = await findForStaff(db, { refundId })
      return refund === null ? refuse('resource_not_found') : reply({ refund: present(refund) })
    },
  })
}
