import { implement, keysetList, refuse, reply, type KeysetOrder } from '@causeway/chassis'
import { audit } from '@causeway/contracts'
import type { GatewayContext } from '../context.ts'
import { entryOf } from './record.ts'
import { listActions } from './store.ts'

/** A position is a record's sequence in the chain. */
const BY_SEQUENCE: KeysetOrder<number> = {
  start: 0,
  write: (sequence) => [String(sequence)],
  read: ([sequence]) => (sequence === undefined ? null : Number(sequence)),
}

/** `gateway.audit` (decisions §14). */
export const auditOperations = ({ db, cursors }: GatewayContext) => {
  // Not the list's name from before the chain: cursors from then hold a time and an id, and have to be refused.
  const records = keysetList(cursors, { name: 'audit-records', order: BY_SEQUENCE })
  return implement(audit, {
    async list({ query: { cursor, limit } }) {
      const afterSequence = records.after(cursor)
      if (afterSequence === null) return refuse('invalid_cursor')
      const { items, nextCursor } = records.page({
        rows: await listActions(db, { afterSequence, limit: limit + 1 }),
        limit,
        present: (row) => entryOf(row.began, row.ended),
        positionOf: (row) => row.sequence,
      })
      return reply({ entries: items, next_cursor: nextCursor })
    },
  })
}
