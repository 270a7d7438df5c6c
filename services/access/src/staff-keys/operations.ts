import { implement, keysetList, newId, OLDEST_FIRST, refuse, reply } from '@causeway/chassis'
import { staffKeys, type StaffKey } from '@causeway/contracts'
import { appendEnd } from '../audit/store.ts'
import { nextRevision } from '../change-feed/store.ts'
import type { AccessContext } from '../context.ts'
import { endByOrigin } from '../sessions/ending.ts'
import { macOfStaffKey, newStaffKey } from './key.ts'
import {
  countLiveStaffKeys,
  insertStaffKey,
  listStaffKeys,
  revokeStaffKey,
  type StaffKeyRecord,
} from './store.ts'

const LIMIT = 1_000

const present = (key: StaffKeyRecord): StaffKey => ({
  staff_key_id: key.staffKeyId,
  name: key.name,
  role: key.role,
  created_at: key.createdAt.toISOString(),
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
})

/** `gateway.staff-keys` (decisions §14). A key may revoke itself; the key of the setting cannot be revoked. */
export const staffKeyOperations = ({ db, vault, changeFeed, cursors, recordEnd }: AccessContext) => {
  const keys = keysetList(cursors, { name: 'staff-keys', order: OLDEST_FIRST })
  return implement(staffKeys, {
    async create({ caller, body, requestId, now }) {
      const key = newStaffKey()
      const record: StaffKeyRecord = {
        staffKeyId: newId('staffKey'),
        ...body,
        createdAt: now,
        lastUsedAt: null,
      }
      return db.transaction(async (tx) => {
        // Exact under concurrency, because the change feed's lock serialises the counts.
        await nextRevision(tx)
        if (((await countLiveStaffKeys(tx))?.live ?? 0) >= LIMIT)
          return refuse('limit_reached', [{ resource: 'staff_keys', limit: LIMIT }])
        // Who requests a key receives it, also where a second person confirms: they are one person (decisions §14).
        await insertStaffKey(tx, { ...record, keyMac: macOfStaffKey(vault, key), madeBy: caller.actor })
        const after = { staff_key: present(record) }
        const end = { target: record.staffKeyId, before: null, after }
        return recordEnd(tx, { requestId, caller }, end, reply({ ...after, key }))
      })
    },

    async list({ query: { cursor, limit } }) {
      const from = keys.after(cursor)
      if (from === null) return refuse('invalid_cursor')
      const { items, nextCursor } = keys.page({
        rows: await listStaffKeys(db, { afterAt: from.at, afterId: from.id, limit: limit + 1 }),
        limit,
        present,
        positionOf: (row) => ({ at: row.createdAt, id: row.staffKeyId }),
      })
      return reply({ staff_keys: items, next_cursor: nextCursor })
    },

    revoke: ({ params: { staffKeyId }, caller: { actor }, requestId, now }) =>
      changeFeed.transaction(async (tx, revision) => {
        const key = await revokeStaffKey(tx, { staffKeyId, now, revision })
        if (key === null) return refuse('resource_not_found')
        await endByOrigin(tx, staffKeyId, { now, actor, reason: 'credential_revoked' })
        await appendEnd(tx, { requestId, before: { staff_key: present(key) }, after: null })
        return reply({})
      }),
  })
}
