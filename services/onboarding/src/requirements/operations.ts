import {
  implement,
  pageOf,
  refuse,
  reply,
  withBefore,
  type Cursors,
  type Db,
  type Implementation,
  type Transaction,
} from '@causeway/chassis'
import { RequirementStatus, requirements } from '@causeway/contracts'
import { isResolved, judgeMove, OUTSTANDING_STATUSES, seenBy, type Party } from './domain.ts'
import * as documentStore from '../documents/store.ts'
import { findMerchant } from '../merchants/known-merchants.ts'
import * as merchantStore from '../merchants/store.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import * as store from './store.ts'
import { holdOwnRelationship } from '../relationship-state/lock.ts'
import { cursorAfter, positionOf } from '../list-position.ts'
import { heldRequirement } from './presentation.ts'
import { createRaising, tellOf } from './raising.ts'

/** The platform itself, for which staff act. */
const SERVICE: Party = null

const presented = (row: store.RequirementRow, reader: Party) => ({
  requirement: seenBy(reader, heldRequirement(row)),
})
const unknownDocument = () => refuse('invalid_request', [{ field: 'document_id', reason: 'invalid_value' }])

type Parts = Readonly<{ db: Db; cursors: Cursors }>

/** `onboarding.requirements` (spec: Requirements; spec: Requirement transitions; decisions §8 and §14). */
export const requirementOperations = ({ db, cursors }: Parts): Implementation[] => {
  const raise = createRaising(db)
  return implement(requirements, {
    async list({ caller, params, query: { status, limit, cursor } }) {
      const { partnerId } = caller
      const statuses = status === 'open' ? OUTSTANDING_STATUSES : RequirementStatus.options
      const key = [partnerId, params.customerId]
      const list = `requirements:${key.join(':')}:${status ?? 'all'}`
      const after = positionOf(cursors, list, cursor)
      if (!after) return refuse('invalid_cursor')
      const [[visible], rows] = await Promise.all([
        db.query(store.readVisibleMerchant, key),
        db.query(store.readVisible, [...key, statuses, ...after, limit + 1]),
      ])
      return visible
        ? reply(pageOfRequirements(cursors, list, { rows, limit, reader: partnerId }))
        : refuse('resource_not_found')
    },

    async listByStaff({ params, query: { limit, cursor } }) {
      const { customerId } = params
      const list = requirementsOf(customerId)
      const after = positionOf(cursors, list, cursor)
      if (!after) return refuse('invalid_cursor')
      const [[merchant], rows] = await Promise.all([
        db.query(findMerchant, [customerId]),
        db.query(store.readPageOfMerchant, [customerId, ...after, limit + 1]),
      ])
      return merchant
        ? reply(pageOfRequirements(cursors, list, { rows, limit, reader: SERVICE }))
        : refuse('resource_not_found')
    },

    raise: ({ caller, params, body, now }) =>
      raise({ party: caller.partnerId, partnerCustomerId: params.customerId }, { asked: body, now }),

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

    raiseByStaff: ({ params, body, now }) =>
      raise({ party: SERVICE, merchantId: params.customerId }, { asked: body, now }),

    async changeByStaff({ params, body, now }) {
      return db.transaction(async (tx) => {
        const [found] = await tx.query(store.readOne, [params.requirementId])
        if (!found) return refuse('resource_not_found')
        await tx.query(merchantStore.hold, [found.customer_id])
        const [row] = await tx.query(store.readOne, [params.requirementId])
        if (!row) throw new Error('A requirement is gone')
        const documentId = body.document_id ?? null
        const ofMerchant = [row.customer_id, documentId]
        if (documentId !== null && (await tx.query(documentStore.readOfMerchant, ofMerchant)).length === 0)
          return unknownDocument()
        return move(tx, row, { to: body.status, by: SERVICE, documentId, now })
      })
    },
  })
}

/** Name of the list of a merchant's requirements for staff. */
export const requirementsOf = (merchantId: string): string => `requirements-of:${merchantId}`

type Listed = Readonly<{
  rows: readonly store.RequirementRow[]
  limit: number
  reader: Party
  maxBytes?: number
}>

/** A page of requirements as one party reads them. */
export const pageOfRequirements = (cursors: Cursors, list: string, { reader, ...listed }: Listed) => {
  const present = (row: store.RequirementRow) => seenBy(reader, heldRequirement(row))
  const { items, last } = pageOf({ ...listed, present })
  return {
    requirements: [...items],
    next_cursor: cursorAfter(cursors, list, last && { at: last.created_at, id: last.requirement_id }),
  }
}

type Asked = Readonly<{ to: RequirementStatus; by: Party; documentId: string | null; now: Date }>

/** Moves a requirement whose merchant's row is held. */
const move = async (tx: Transaction, row: store.RequirementRow, { to, by, documentId, now }: Asked) => {
  const refusal = judgeMove(row, to, by)
  if (refusal) return refusal
  const resolvedAt = isResolved(to) ? now : null
  const [moved] = await tx.query(store.move, [row.requirement_id, to, documentId, resolvedAt, now])
  if (!moved) throw new Error('A requirement of a held merchant is gone')
  if (isResolved(to)) {
    const relationships = await tx.query(relationshipStore.readOfMerchant, [row.customer_id])
    tellOf(tx, 'requirement.resolved', moved, relationships, now)
  }
  return withBefore(reply(presented(moved, by)), presented(row, by))
}
