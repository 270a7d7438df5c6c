import { implement, pageOf, refuse, reply } from '@causeway/chassis'
import { audit } from '@causeway/contracts'
import { entryOf } from './record.ts'
import { auditStore } from './store.ts'
import type { OperationContext } from '../partners/operations.ts'

/** Cursors of before the chain named a time and an entry. */
const LIST = 'audit-records'

/** `gateway.audit` (decisions §14). */
export const auditOperations = ({ db, cursors }: Pick<OperationContext, 'db' | 'cursors'>) =>
  implement(audit, {
    async list({ query }) {
      const from = query.cursor === null ? ['0'] : cursors.decode(LIST, query.cursor)
      if (from === null) return refuse('invalid_cursor')
      const rows = await auditStore.list(db, Number(from[0]), query.limit + 1)
      const present = (row: (typeof rows)[number]) => entryOf(row.began, row.ended)
      const { items, last } = pageOf({ rows, limit: query.limit, present })
      return reply({
        entries: [...items],
        next_cursor: last ? cursors.encode(LIST, [String(last.sequence)]) : null,
      })
    },
  })
