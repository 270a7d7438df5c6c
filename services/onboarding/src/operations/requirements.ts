import {
  implement,
  newId,
  refuse,
  reply,
  withBefore,
  type Db,
  type Implementation,
  type Transaction,
} from '@causeway/chassis'
import { RequirementStatus, requirements, type RaiseRequirement } from '@causeway/contracts'
import {
  isResolved,
  judgeMove,
  judgeRaise,
  OUTSTANDING_STATUSES,
  requirementNotices,
  seenBy,
  type Party,
} from '../domain/requirements.ts'
import * as documentStore from '../store/documents.ts'
import * as merchantStore from '../store/merchants.ts'
import * as relationshipStore from '../store/relationships.ts'
import * as store from '../store/requirements.ts'
import { emit } from './announce.ts'
import { holdOwnRelationship } from './hold-relationship.ts'
import { heldRequirement } from './present-requirement.ts'

/** The platform itself, for which staff act. */
const SERVICE: Party = null

const presented = (row: store.RequirementRow, reader: Party) => ({
  requirement: seenBy(reader, heldRequirement(row)),
})
const unknownDocument = () => refuse('invalid_request', [{ field: 'document_id', reason: 'invalid_value' }])

/** `onboarding.requirements` (spec: Requirements, States; decisions §8 and §14). */
export const requirementOperations = ({ db }: { db: Db }): Implementation[] =>
  implement(requirements, {
    async list({ caller, params, query }) {
      const { partnerId } = caller
      const statuses = query.status === 'open' ? OUTSTANDING_STATUSES : RequirementStatus.options
      const key = [partnerId, params.customerId]
      const [[visible], rows] = await Promise.all([
        db.query(store.readVisibleMerchant, key),
        db.query(store.readVisible, [...key, statuses]),
      ])
      if (!visible) return refuse('resource_not_found')
      return reply({ requirements: rows.map((row) => seenBy(partnerId, heldRequirement(row))) })
    },

    async raise({ caller, params, body, now }) {
      const { partnerId } = caller
      return db.transaction(async (tx) => {
        const relationship = await holdOwnRelationship(tx, partnerId, params.customerId)
        const [visible] = relationship
          ? await tx.query(store.readVisibleMerchant, [partnerId, params.customerId])
          : []
        return visible ? raise(tx, visible.customer_id, partnerId, body, now) : refuse('resource_not_found')
      })
    },

    async read({ caller, params }) {
      const key = [caller.partnerId, params.customerId, params.requirementId]
      const [row] = await db.query(store.readOneVisible, key)
      return row ? reply(presented(row, caller.partnerId)) : refuse('resource_not_found')
    },

    async change({ caller, params, body, now }) {
      const { partnerId } = caller
      const key = [partnerId, params.customerId]
      return db.transaction(async (tx) => {
        const relationship = await holdOwnRelationship(tx, partnerId, params.customerId)
        const [row] = relationship ? await tx.query(store.readOneVisible, [...key, params.requirementId]) : []
        if (!row) return refuse('resource_not_found')
        const documentId = body.document_id ?? null
        if (documentId !== null && (await tx.query(documentStore.readOwn, [...key, documentId])).length === 0)
          return unknownDocument()
        return move(tx, row, { to: body.status, by: partnerId, documentId, now })
      })
    },

    async raiseByStaff({ params, body, now }) {
      return db.transaction(async (tx) => {
        const [merchant] = await tx.query(merchantStore.hold, [params.customerId])
        const [begun] = merchant ? await tx.query(store.readBegun, [merchant.id]) : []
        return begun ? raise(tx, params.customerId, SERVICE, body, now) : refuse('resource_not_found')
      })
    },

    async changeByStaff({ params, body, now }) {
      return db.transaction(async (tx) => {
        const [found] = await tx.query(store.readOne, [params.requirementId])
        if (!found) return refuse('resource_not_found')
        await tx.query(merchantStore.hold, [found.customer_id])
        const [row] = await tx.query(store.readOne, [params.requirementId])
        if (!row) throw new Error('A requirement is gone')
        const documentId = body.document_id ?? null
        const documents =
          documentId === null ? [] : await tx.query(documentStore.readOfMerchant, [row.customer_id])
        if (documentId !== null && !documents.some((document) => document.document_id === documentId))
          return unknownDocument()
        return move(tx, row, { to: body.status, by: SERVICE, documentId, now })
      })
    },
  })

/** Raises a requirement on a merchant whose row is held, and tells each of its partners. */
const raise = async (
  tx: Transaction,
  merchantId: string,
  raisedBy: Party,
  asked: RaiseRequirement,
  now: Date,
) => {
  const [count] = await tx.query(store.countOpen, [merchantId])
  const refusal = judgeRaise(count?.open ?? 0)
  if (refusal) return refusal
  const dueAt = asked.due_at == null ? null : new Date(asked.due_at)
  const [row] = await tx.query(store.insert, [
    newId('requirement'),
    merchantId,
    raisedBy,
    asked.kind,
    asked.target ?? null,
    asked.document_type ?? null,
    asked.message,
    dueAt,
    now,
  ])
  if (!row) throw new Error('A requirement was not stored')
  await tell(tx, 'requirement.created', row, now)
  return reply(presented(row, raisedBy))
}

type Asked = Readonly<{ to: RequirementStatus; by: Party; documentId: string | null; now: Date }>

/** Moves a requirement whose merchant's row is held. */
const move = async (tx: Transaction, row: store.RequirementRow, { to, by, documentId, now }: Asked) => {
  const refusal = judgeMove(row, to, by)
  if (refusal) return refusal
  const resolvedAt = isResolved(to) ? now : null
  const [moved] = await tx.query(store.move, [row.requirement_id, to, documentId, resolvedAt, now])
  if (!moved) throw new Error('A requirement of a held merchant is gone')
  if (isResolved(to)) await tell(tx, 'requirement.resolved', moved, now)
  return withBefore(reply(presented(moved, by)), presented(row, by))
}

const tell = async (
  tx: Transaction,
  type: 'requirement.created' | 'requirement.resolved',
  row: store.RequirementRow,
  now: Date,
): Promise<void> => {
  const relationships = await tx.query(relationshipStore.readOfMerchant, [row.customer_id])
  for (const draft of requirementNotices(type, heldRequirement(row), relationships)) emit(tx, draft, now)
}
