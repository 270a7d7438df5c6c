import {
  createCursors,
  implement,
  keysetList,
  NEWEST_FIRST,
  refuse,
  reply,
  type ServiceContext,
  type Implementation,
} from '@causeway/chassis'
import { chargebackCases, type ChargebackCase } from '@causeway/contracts'
import { erasePayerFingerprints } from '../payers/fingerprint-erasure.ts'
import { listErasedOrders } from '../payers/store.ts'
import type { Relationships } from '../relationships/relationships.ts'
import { getRelationship } from '../relationships/store.ts'
import * as store from './store.ts'

const present = (row: store.CaseRow): ChargebackCase => ({
  case_id: row.id,
  kind: row.kind,
  value_masked: row.valueMasked,
  status: row.status,
  order_keys: row.orderKeys.map(String),
  created_at: row.createdAt.toISOString(),
  lifted_at: row.liftedAt?.toISOString() ?? null,
})

/** `payments.chargeback-cases` (decisions §10). */
export const chargebackCaseOperations = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  { relationships }: Readonly<{ relationships: Relationships }>,
): Implementation[] => {
  const cursors = createCursors(vault)
  const isVisible = async (partnerId: string, customerId: string): Promise<boolean> => {
    if ((await relationships.merchantOf(partnerId, customerId)) === null) return false
    const relationship = await getRelationship(db, { partnerId, partnerCustomerId: customerId })
    return relationship?.status === 'active'
  }

  return implement(chargebackCases, {
    async list({ caller: { partnerId }, params: { customerId }, query: { limit, cursor } }) {
      const name = `chargeback-cases:${partnerId}:${customerId}`
      const list = keysetList(cursors, { name, order: NEWEST_FIRST })
      const from = list.after(cursor)
      if (from === null) return refuse('invalid_cursor')
      if (!(await isVisible(partnerId, customerId))) return refuse('resource_not_found')
      const rows = await store.listPage(db, {
        partnerId,
        partnerCustomerId: customerId,
        beforeAt: from.at,
        beforeId: from.id,
        limit: limit + 1,
      })
      const positionOf = (row: store.CaseRow) => ({ at: row.createdAt, id: row.id })
      const { items, nextCursor } = list.page({ rows, limit, present, positionOf })
      return reply({ chargeback_cases: items, next_cursor: nextCursor })
    },

    async listByStaff({ query: { limit, cursor } }) {
      const list = keysetList(cursors, { name: 'chargeback-cases:active', order: NEWEST_FIRST })
      const before = list.after(cursor)
      if (before === null) return refuse('invalid_cursor')
      const { items, nextCursor } = list.page({
        rows: await store.listActive(db, { ...before, limit }),
        limit,
        present: (row) => ({
          ...present(row),
          partner_id: row.partnerId,
          partner_customer_id: row.partnerCustomerId,
        }),
        positionOf: (row) => ({ at: row.createdAt, id: row.id }),
        continuesWhenFull: true,
      })
      return reply({ chargeback_cases: items, next_cursor: nextCursor })
    },

    async lift({ caller: { partnerId }, params: { customerId, caseId }, now }) {
      if (!(await isVisible(partnerId, customerId))) return refuse('resource_not_found')
      const lifted = await db.transaction(async (tx) => {
        const row = await store.lift(tx, { partnerId, partnerCustomerId: customerId, caseId, now })
        // The fingerprint of an erased payer was kept only for this case.
        const erased = row ? await listErasedOrders(tx, { partnerId, caseId }) : []
        if (erased.length > 0)
          await erasePayerFingerprints(
            tx,
            erased.map(({ id }) => id),
            null,
          )
        return row
      })
      if (lifted) return reply({ chargeback_case: present(lifted) })
      const known = await store.get(db, { partnerId, partnerCustomerId: customerId, caseId })
      return known
        ? refuse('invalid_state', [{ from: known.status, to: 'lifted' }])
        : refuse('resource_not_found')
    },
  })
}
