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
import { unattributedMoney } from '@causeway/contracts'
import { presentMoney } from './domain.ts'
import { findMoney, listMoney, listMoneyOfKind } from './store.ts'

/** `payments.unattributed-money`: money that counts for no order (decisions §52). */
export const unattributedMoneyOperations = ({
  db,
  vault,
}: Pick<ServiceContext, 'db' | 'vault'>): Implementation[] => {
  const cursors = createCursors(vault)
  return implement(unattributedMoney, {
    async list({ query: { status, kind, cursor, limit } }) {
      const list = keysetList(cursors, {
        name: `unattributed-money:${status}:${kind ?? ''}`,
        order: OLDEST_FIRST,
      })
      const from = list.after(cursor)
      if (from === null) return refuse('invalid_cursor')
      const page = { status, afterAt: from.at, afterId: from.id, limit }
      const { items, nextCursor } = list.page({
        rows: kind === undefined ? await listMoney(db, page) : await listMoneyOfKind(db, { ...page, kind }),
        limit,
        present: presentMoney,
        positionOf: (row) => ({ at: row.receivedAt, id: row.id }),
        continuesWhenFull: true,
      })
      return reply({ unattributed_money: items, next_cursor: nextCursor })
    },

    async get({ params: { unattributedMoneyId } }) {
      const row = await findMoney(db, { id: unattributedMoneyId })
      return row ? reply({ unattributed_money: presentMoney(row) }) : refuse('resource_not_found')
    },
  })
}
