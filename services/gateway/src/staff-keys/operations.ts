import { implement, newId, pageOf, refuse, reply } from '@causeway/chassis'
import { staffKeys, type StaffKey } from '@causeway/contracts'
import { macOfStaffKey, newStaffKey } from './authentication.ts'
import { auditStore } from '../audit/store.ts'
import { registryStore } from '../change-feed/store.ts'
import { staffKeyStore, type StaffKeyRow } from './store.ts'
import type { OperationContext } from '../partners/operations.ts'

const LIST = 'staff-keys'
const LIMIT = 1_000

const present = (row: StaffKeyRow): StaffKey => ({
  ...row,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
})

/** `gateway.staff-keys` (decisions §14). A key may be revoked by itself; the key of the setting cannot. */
export const staffKeyOperations = ({ db, vault, registry, cursors }: OperationContext) =>
  implement(staffKeys, {
    async create({ body, requestId, now }) {
      const key = newStaffKey()
      const row: StaffKeyRow = {
        staff_key_id: newId('staffKey'),
        ...body,
        created_at: now,
        last_used_at: null,
      }
      return db.transaction(async (tx) => {
        await registryStore.bump(tx)
        if ((await staffKeyStore.countLive(tx)) >= LIMIT)
          return refuse('limit_reached', [{ resource: 'staff_keys', limit: LIMIT }])
        await staffKeyStore.insert(tx, macOfStaffKey(vault, key), row)
        const after = { staff_key: present(row) }
        await auditStore.finish(tx, requestId, { target: row.staff_key_id, before: null, after })
        return reply({ staff_key: present(row), key })
      })
    },

    async list({ query }) {
      const from = query.cursor === null ? ['-infinity', ''] : cursors.decode(LIST, query.cursor)
      if (from === null) return refuse('invalid_cursor')
      const [createdAt = '', staffKeyId = ''] = from
      const rows = await staffKeyStore.list(db, { createdAt, staffKeyId }, query.limit + 1)
      const { items, last } = pageOf({ rows, limit: query.limit, present })
      return reply({
        staff_keys: [...items],
        next_cursor: last ? cursors.encode(LIST, [last.created_at.toISOString(), last.staff_key_id]) : null,
      })
    },

    async revoke({ params, requestId, now }) {
      const outcome = await db.transaction(async (tx) => {
        const revision = await registryStore.bump(tx)
        const row = await staffKeyStore.revoke(tx, params.staffKeyId, now, revision)
        if (row === null) return refuse('resource_not_found')
        await auditStore.finish(tx, requestId, {
          target: null,
          before: { staff_key: present(row) },
          after: null,
        })
        return reply({})
      })
      await registry.changed()
      return outcome
    },
  })
