import { implement, pageOf, refuse, reply } from '@causeway/chassis'
import { audit } from '@causeway/contracts'
import type { GatewayContext } from '../context.ts'
import { entryOf } from './record.ts'
import { listActions } from './store.ts'

/** Differs from the name of the list before the chain, whose cursors held a time and an entry. */
const LIST = 'audit-records'

/** `gateway.audit` (decisions §14). */
export const auditOperations = ({ db, cursors }: GatewayContext) =>
  implement(audit, {
    async list({ query: { cursor, limit } }) {
      const position = cursor === null ? ['0'] : cursors.decode(LIST, cursor)
      if (position === null) return refuse('invalid_cursor')
      const rows = await listActions(db, { afterSequence: Number(position[0]), limit: limit + 1 })
      const present = (row: (typeof rows)[number]) => entryOf(row.began, row.ended)
      const { items, last } = pageOf({ rows, limit, present })
      return reply({
        entries: [...items],
        next_cursor: last ? cursors.encode(LIST, [String(last.sequence)]) : null,
      })
    },
  })
