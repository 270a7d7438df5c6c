import {
  implement,
  refuse,
  reply,
  withBefore,
  type Cursors,
  type Db,
  type Implementation,
  type Transaction,
} from '@causeway/chassis'
import { requirements, type RequirementStatus } from '@causeway/contracts'
import * as merchantStore from '../merchants/store.ts'
import { lockOwnRelationship } from '../relationship-state/access.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import { incrementVersion } from '../relationship-state/case-version-store.ts'
import { checkTransition, isResolved, type Party } from './domain.ts'
import { listRequirements, listRequirementsByStaff } from './list.ts'
import { presentRequirement } from './presentation.ts'
import { createRaising, emitRequirement } from './raising.ts'
import * as store from './store.ts'

/** The platform itself, for which staff act. */
const SERVICE: Party = null

const single = (row: store.RequirementRow, reader: Party) => ({
  requirement: presentRequirement(row, reader),
})
const unknownDocument = () =>
  refuse('invalid_request', [
    {
      field: 'document_id',
      reason: 'invalid_value',
      expected: 'a document that you have uploaded for this customer',
    },
  ])

type Dependencies = Readonly<{ db: Db; cursors: Cursors }>

/** `onboarding.requirements` (spec: Requirements; spec: Requirement transitions; decisions §8 and §14). */
export const requirementOperations = (dependencies: Dependencies): Implementation[] => {
  const { db } = dependencies
  const raise = createRaising(db)
  return implement(requirements, {
    list: (request) => listRequirements(dependencies, request),
    listByStaff: (request) => listRequirementsByStaff(dependencies, request),

    raise: ({ caller, params, body, now }) =>
      raise({ party: caller.partnerId, partnerCustomerId: params.customerId }, { body, now }),

    raiseByStaff: ({ params, body, now }) =>
      raise({ party: SERVICE, merchantId: params.customerId }, { body, now }),

    async get({ caller: { partnerId }, params: { customerId: partnerCustomerId, requirementId } }) {
      const row = await store.getVisible(db, { partnerId, partnerCustomerId, requirementId })
      return row ? reply(single(row, partnerId)) : refuse('resource_not_found')
    },

    async update({ caller: { partnerId }, params, body, now }) {
      const { customerId: partnerCustomerId, requirementId } = params
      const key = { partnerId, partnerCustomerId }
      return db.transaction(async (tx) => {
        const relationship = await lockOwnRelationship(tx, partnerId, partnerCustomerId)
        const row = relationship && (await store.getVisible(tx, { ...key, requirementId }))
        if (!row) return refuse('resource_not_found')
        const documentId = body.document_id ?? null
        if (documentId !== null && !(await store.findOwnDocument(tx, { ...key, documentId })))
          return unknownDocument()
        return updateStatus(tx, row, { to: body.status, by: partnerId, documentId, now })
      })
    },

    async updateByStaff({ params: { requirementId }, body, now }) {
      return db.transaction(async (tx) => {
        const found = await store.get(tx, { requirementId })
        if (!found) return refuse('resource_not_found')
        const { merchantId } = found
        await merchantStore.lockMerchant(tx, { merchantId })
        const row = await store.get(tx, { requirementId })
        if (!row) throw new Error('A locked merchant has no row of its requirement')
        const documentId = body.document_id ?? null
        if (documentId !== null && !(await store.findDocumentOfMerchant(tx, { merchantId, documentId })))
          return unknownDocument()
        return updateStatus(tx, row, { to: body.status, by: SERVICE, documentId, now })
      })
    },
  })
}

type Transition = Readonly<{ to: RequirementStatus; by: Party; documentId: string | null; now: Date }>

/** Updates a requirement whose merchant's row is locked. */
const updateStatus = async (
  tx: Transaction,
  row: store.RequirementRow,
  { to, by, documentId, now }: Transition,
) => {
  const refusal = checkTransition(row, to, by)
  if (refusal) return refusal
  const { requirementId, merchantId } = row
  const resolvedAt = isResolved(to) ? now : null
  const updated = await store.updateStatus(tx, { requirementId, status: to, documentId, resolvedAt, now })
  if (!updated) throw new Error('A locked merchant has no row of its requirement')
  await incrementVersion(tx, { merchantId, editedAt: null })
  if (isResolved(to)) {
    const relationships = await relationshipStore.listOfMerchant(tx, { merchantId })
    emitRequirement(tx, 'requirement.resolved', updated, relationships, now)
  }
  return withBefore(reply(single(updated, by)), single(row, by))
}
