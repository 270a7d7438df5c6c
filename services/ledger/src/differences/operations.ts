import {
  implement,
  keysetList,
  OLDEST_FIRST,
  refuse,
  reply,
  withBefore,
  type Cursors,
  type Db,
  type Implementation,
  type OperationRequest,
  type Queryable,
  type Transaction,
} from '@causeway/chassis'
import { differences, type DifferenceClose, type LedgerDifference } from '@causeway/contracts'
import { adjust, judgeAdjustment, readAdjusted, refuseDecimals } from '../adjustments/adjust.ts'
import { presentAmount } from '../posting/amounts.ts'
import { postBatch } from '../posting/post-facts.ts'
import {
  closingMovements,
  missingOnChain,
  settlementPosting,
  type Movement,
} from '../settlement-postings/movements.ts'
import { readPosting } from '../settlement-postings/postings.ts'
import { insertPostings, postingValues } from '../settlement-postings/store.ts'
import * as store from './store.ts'

const presentStored = (row: store.DifferenceRow): Omit<LedgerDifference, 'age_seconds'> => ({
  difference_id: row.differenceId,
  kind: row.kind,
  source: row.source,
  line_id: row.lineId,
  order_key: row.orderKey,
  owner: row.ownerId,
  unit: row.unit,
  expected: row.expected === null ? null : presentAmount(row.unit, row.expected),
  found: row.found === null ? null : presentAmount(row.foundUnit, row.found),
  found_unit: row.foundUnit,
  found_at: row.foundAt.toISOString(),
  status: row.status,
  ended_at: row.endedAt?.toISOString() ?? null,
  reason: row.reason,
  adjustment_id: row.adjustmentId,
})

const present = (row: store.DifferenceRow, now: Date): LedgerDifference => {
  const ageMs = (row.endedAt ?? now).getTime() - row.foundAt.getTime()
  return { ...presentStored(row), age_seconds: Math.max(0, Math.floor(ageMs / 1_000)) }
}

const AMOUNT = 'adjustment.amount'

/** Returns the refusal of a close. */
const judge = async (db: Queryable, row: store.DifferenceRow | null, { adjustment }: DifferenceClose) => {
  if (row === null) return refuse('resource_not_found')
  if (row.status !== 'open') return refuse('invalid_state', [{ from: row.status, to: 'closed' }])
  if (adjustment === undefined) return null
  const kept = await readPosting(db, `difference:${row.differenceId}`)
  const units = [row.unit, row.foundUnit, ...(kept?.movements ?? []).map(({ unit }) => unit)]
  if (!units.includes(adjustment.unit))
    return refuse('invalid_request', [
      { field: 'adjustment.unit', reason: 'invalid_value', expected: 'a unit of the difference' },
    ])
  const wanted = readAdjusted(adjustment)
  if (wanted === null) return refuseDecimals(AMOUNT)
  const judged = await judgeAdjustment(db, wanted)
  return judged.ok ? null : judged
}

/** Movements by which a closed difference of a chain leaves the books: the addresses do not hold it. */
const missingOf = ({ source, unit, expected, found }: store.DifferenceRow): Movement[] =>
  source.startsWith('chain:') ? [missingOnChain(unit, BigInt(expected ?? 0) - BigInt(found ?? 0))] : []

const close = async (
  tx: Transaction,
  { params: { differenceId }, body, now }: OperationRequest<typeof differences.close>,
) => {
  const row = await store.lockDifference(tx, { differenceId })
  const refusal = await judge(tx, row, body)
  if (refusal !== null || row === null) return refusal ?? refuse('resource_not_found')
  const wanted = body.adjustment === undefined ? null : readAdjusted(body.adjustment)
  const adjusted = wanted === null ? null : await adjust(tx, wanted, body.reason, now)
  if (adjusted?.ok === false) return adjusted
  const closed = await store.closeDifference(tx, {
    ...{ differenceId, reason: body.reason, now },
    adjustmentId: adjusted?.adjustmentId ?? null,
  })
  if (closed === null)
    throw new Error(`The difference ${differenceId} is open and locked, and was not closed`)
  const kept = await readPosting(tx, `difference:${differenceId}`)
  const missing = missingOf(row)
  const movements = [
    ...missing,
    ...closingMovements(
      [...(kept?.movements ?? []), ...missing],
      new Map(wanted === null ? [] : [[wanted.unit, wanted.amount]]),
      row.kind === 'other_fee' ? 'fee' : 'loss',
    ),
  ]
  const rest = {
    ...{ source: `difference_closed:${differenceId}`, effectiveAt: now, movements },
    ...{ processor: kept?.processor ?? '', orderKey: row.orderKey, orderId: kept?.orderId ?? null },
  }
  const posting = settlementPosting(rest)
  if (posting !== null) {
    await insertPostings(tx, postingValues([rest]))
    await postBatch(tx, { postings: [posting] }, now)
  }
  return withBefore(reply({ difference: present(closed, now) }), { difference: presentStored(row) })
}

/** `ledger.differences` (decisions §51). */
export const differenceOperations = (db: Db, cursors: Cursors): Implementation[] =>
  implement(differences, {
    async list({ query: { status, limit, cursor }, now }) {
      const list = keysetList(cursors, { name: `ledger-differences:${status}`, order: OLDEST_FIRST })
      const after = list.after(cursor)
      if (after === null) return refuse('invalid_cursor')
      const { items, nextCursor } = list.page({
        rows: await store.listByStatus(db, { ...after, status, limit: limit + 1 }),
        limit,
        present: (row) => present(row, now),
        positionOf: ({ foundAt, differenceId }) => ({ at: foundAt, id: differenceId }),
      })
      return reply({ differences: items, next_cursor: nextCursor })
    },

    close: (request) => db.transaction((tx) => close(tx, request)),

    async prepareClose({ params: { differenceId }, body }) {
      const row = await store.getDifference(db, { differenceId })
      const refusal = await judge(db, row, body)
      if (refusal !== null || row === null) return refusal ?? refuse('resource_not_found')
      return reply({ before: { difference: presentStored(row) }, groups: ['ledger'] })
    },
  })
