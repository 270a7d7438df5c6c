import {
  implement,
  keysetList,
  NEWEST_FIRST,
  refuse,
  reply,
  withBefore,
  withStaffKey,
  type Cursors,
  type Db,
  type Implementation,
  type OperationRequest,
  type Transaction,
} from '@causeway/chassis'
import { adjustments, type WriteOff } from '@causeway/contracts'
import { presentAmount } from '../posting/amounts.ts'
import { journalIdOf } from '../posting/ids.ts'
import { adjust, judgeAdjustment, judgeWriteOff, readAdjusted, refuseDecimals, writeOff } from './adjust.ts'
import * as store from './store.ts'

const create = async (tx: Transaction, { body, now }: OperationRequest<typeof adjustments.create>) => {
  const wanted = readAdjusted(body)
  if (wanted === null) return refuseDecimals('amount')
  const adjusted = await adjust(tx, wanted, body.reason, now)
  if (!adjusted.ok) return adjusted
  const { unit, amount } = wanted
  const adjustment = {
    adjustment_id: adjusted.adjustmentId,
    journal_id: adjusted.journalId,
    partner_customer_id: body.partner_customer_id ?? null,
    partner_id: body.partner_id ?? null,
    unit,
    amount: presentAmount(unit, amount),
    reason: body.reason,
    available: presentAmount(unit, adjusted.available + amount),
    created_at: now.toISOString(),
  }
  return withBefore(reply({ adjustment }), { available: presentAmount(unit, adjusted.available) })
}

const present = (row: store.WriteOffRow): WriteOff => {
  const { adjustmentId, ownerId, unit, amount, reason, createdAt } = row
  const isPartner = ownerId.startsWith('prt_')
  return {
    adjustment_id: adjustmentId,
    journal_id: journalIdOf({ source: adjustmentId, rule: 'fact' }),
    partner_customer_id: isPartner ? null : ownerId,
    partner_id: isPartner ? ownerId : null,
    unit,
    amount: presentAmount(unit, amount),
    reason,
    created_at: createdAt.toISOString(),
  }
}

const createWriteOff = async (
  tx: Transaction,
  { body, now }: OperationRequest<typeof adjustments.writeOff>,
) => {
  const wanted = readAdjusted(body)
  if (wanted === null) return refuseDecimals('amount')
  const written = await writeOff(tx, wanted, body.reason, now)
  if (!written.ok) return written
  const { adjustmentId, available } = written
  const { unit, amount } = wanted
  const row = { ...wanted, amount: String(amount), adjustmentId, reason: body.reason, createdAt: now }
  return withBefore(reply({ write_off: present(row) }), { available: presentAmount(unit, available) })
}

/** `ledger.adjustments` (decisions §48). */
export const adjustmentOperations = (db: Db, cursors: Cursors): Implementation[] =>
  implement(adjustments, {
    create: (request) => withStaffKey(db, adjustments.create, request, (tx) => create(tx, request)),

    async prepareCreation({ body }) {
      const wanted = readAdjusted(body)
      if (wanted === null) return refuseDecimals('amount')
      const judged = await judgeAdjustment(db, wanted)
      return judged.ok ? reply({ before: null, groups: ['ledger'] }) : judged
    },

    writeOff: (request) =>
      withStaffKey(db, adjustments.writeOff, request, (tx) => createWriteOff(tx, request)),

    async prepareWriteOff({ body }) {
      const wanted = readAdjusted(body)
      if (wanted === null) return refuseDecimals('amount')
      const judged = await judgeWriteOff(db, wanted)
      return judged.ok ? reply({ before: null, groups: ['losses'] }) : judged
    },

    async listWriteOffs({ query: { limit, cursor } }) {
      const list = keysetList(cursors, { name: 'write-offs', order: NEWEST_FIRST })
      const after = list.after(cursor)
      if (after === null) return refuse('invalid_cursor')
      const { items, nextCursor } = list.page({
        rows: await store.listWriteOffs(db, { ...after, limit: limit + 1 }),
        limit,
        present,
        positionOf: ({ createdAt, adjustmentId }) => ({ at: createdAt, id: adjustmentId }),
      })
      return reply({ write_offs: items, next_cursor: nextCursor })
    },
  })
