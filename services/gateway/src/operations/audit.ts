import { implement, refuse, reply } from '@causeway/chassis'
import { audit } from '@causeway/contracts'
import { auditStore } from '../store/audit.ts'
import type { OperationGround } from './partners.ts'

const LIST = 'audit'

/** `gateway.audit` (decisions §14). */
export const auditOperations = ({ db, cursors }: Pick<OperationGround, 'db' | 'cursors'>) =>
  implement(audit, {
    async list({ query }) {
      const from = query.cursor === null ? ['-infinity', ''] : cursors.decode(LIST, query.cursor)
      if (from === null) return refuse('invalid_cursor')
      const [at = '', entryId = ''] = from
      const rows = await auditStore.list(db, { at, entryId }, query.limit)
      const last = rows.length === query.limit ? rows.at(-1) : undefined
      return reply({
        entries: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
        next_cursor: last ? cursors.encode(LIST, [last.at.toISOString(), last.entry_id]) : null,
      })
    },
  })
