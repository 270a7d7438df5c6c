import {
  fingerprintOf,
  implement,
  newId,
  refuse,
  reply,
  withBefore,
  withIdempotency,
  type Db,
  type Implementation,
  type OperationRequest,
  type Queryable,
  type Transaction,
} from '@causeway/chassis'
import { adjustments, type AdjustmentRequest } from '@causeway/contracts'
import { ownedAccount } from '../posting/accounts.ts'
import { partsOfAmount, presentAmount } from '../posting/amounts.ts'
import { journalIdOf } from '../posting/ids.ts'
import { postBatch } from '../posting/post-facts.ts'
import { adjustmentPosting, type Adjusted } from './adjustment.ts'
import * as store from './store.ts'

/** All staff share one owner of idempotency keys: a key that one person used cannot adjust again for another. */
const STAFF = 'operator'

/** Reads a request. @returns null for an amount with more decimals than its asset has */
const wantedOf = ({ partner_customer_id, partner_id, unit, amount }: AdjustmentRequest): Adjusted | null => {
  try {
    return { ownerId: partner_customer_id ?? partner_id ?? '', unit, amount: partsOfAmount(unit, amount) }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const refuseDecimals = () =>
  refuse('invalid_request', [
    { field: 'amount', reason: 'invalid_value', expected: 'no more decimals than the asset has' },
  ])

/** Returns the available balance, and the refusal of an adjustment that would take it below zero. */
const judge = async (db: Queryable, { ownerId, unit, amount }: Adjusted) => {
  const { name } = ownedAccount(ownerId, 'available')
  const available = BigInt((await store.getBalance(db, { account: name, unit }))?.amount ?? 0)
  const refusal =
    amount < 0n && available + amount < 0n
      ? refuse('amount_exceeds_available', [{ available: presentAmount(unit, available) }])
      : null
  return { available, refusal }
}

const create = async (tx: Transaction, { body, now }: OperationRequest<typeof adjustments.create>) => {
  const wanted = wantedOf(body)
  if (wanted === null) return refuseDecimals()
  if (!(await store.getOwner(tx, wanted))?.known) return refuse('resource_not_found')
  // The balance that is read next cannot change before this transaction ends.
  await postBatch(tx, { postings: [] }, now)
  const { available, refusal } = await judge(tx, wanted)
  if (refusal) return refusal
  const { unit, amount } = wanted
  const adjustmentId = newId('adjustment')
  const posting = adjustmentPosting(wanted, adjustmentId, now)
  await postBatch(tx, { postings: [posting] }, now)
  await store.insert(tx, { ...wanted, amount: String(amount), adjustmentId, reason: body.reason, now })
  const adjustment = {
    adjustment_id: adjustmentId,
    journal_id: journalIdOf(posting),
    partner_customer_id: body.partner_customer_id ?? null,
    partner_id: body.partner_id ?? null,
    unit,
    amount: presentAmount(unit, amount),
    reason: body.reason,
    available: presentAmount(unit, available + amount),
    created_at: now.toISOString(),
  }
  return withBefore(reply({ adjustment }), { available: presentAmount(unit, available) })
}

/** `ledger.adjustments` (decisions §48). */
export const adjustmentOperations = (db: Db): Implementation[] =>
  implement(adjustments, {
    create(request) {
      const { idempotencyKey: key, requestId, body, now } = request
      if (key === undefined) return db.transaction((tx) => create(tx, request))
      const use = {
        ...{ partnerId: STAFF, operation: adjustments.create.subject, key, requestId, now },
        fingerprint: fingerprintOf(null, body),
      }
      return withIdempotency(db, use, (tx) => create(tx, request))
    },

    async prepareCreation({ body }) {
      const wanted = wantedOf(body)
      if (wanted === null) return refuseDecimals()
      if (!(await store.getOwner(db, wanted))?.known) return refuse('resource_not_found')
      const { refusal } = await judge(db, wanted)
      return refusal ?? reply({ before: null, groups: ['ledger'] })
    },
  })
