import {
  implement,
  OLDEST_FIRST,
  refuse,
  reply,
  type Db,
  type Implementation,
  type Vault,
} from '@causeway/chassis'
import { MAX_STEPS_OF_A_KIND, nextSteps, type NextStep, type RelationshipStatus } from '@causeway/contracts'
import { documentUrl } from '../agreements/presentation.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import * as requirementStore from '../requirements/store.ts'
import { incompleteFields, missingDocuments } from '../verifications/completeness.ts'
import { EMPTY_RECORD } from '../verifications/kyb-record.ts'
import { openRecord } from '../verifications/presentation.ts'
import { nextStepsOf, type Facts } from './domain.ts'
import * as store from './store.ts'

type Dependencies = Readonly<{ db: Db; vault: Vault; publicBaseUrl: string }>
type Key = Readonly<{ partnerId: string; partnerCustomerId: string }>

/** `onboarding.next-steps` (decisions §21). */
export const nextStepOperations = (dependencies: Dependencies): Implementation[] =>
  implement(nextSteps, {
    async list({ caller: { partnerId }, params: { customerId: partnerCustomerId }, now }) {
      const found = await stepsOf(dependencies, { partnerId, partnerCustomerId }, now)
      return found?.status === 'active' ? reply({ next_steps: found.steps }) : refuse('resource_not_found')
    },

    async listByStaff({ params: { partnerCustomerId }, now }) {
      const relationship = await relationshipStore.get(dependencies.db, { partnerCustomerId })
      if (!relationship) return refuse('resource_not_found')
      const { partnerId } = relationship
      const found = await stepsOf(dependencies, { partnerId, partnerCustomerId }, now)
      return found ? reply({ next_steps: found.steps }) : refuse('resource_not_found')
    },
  })

/** Returns the steps of a relationship in any status, which callers check; null if it does not exist. */
const stepsOf = async (
  { db, vault, publicBaseUrl }: Dependencies,
  key: Key,
  now: Date,
): Promise<Readonly<{ status: RelationshipStatus; steps: NextStep[] }> | null> => {
  const limit = MAX_STEPS_OF_A_KIND
  const [row, agreements, requirements] = await Promise.all([
    store.getFacts(db, key),
    store.listUnaccepted(db, { ...key, limit }),
    requirementStore.listPage(db, { ...key, statuses: ['open'], ...OLDEST_FIRST.start, limit }),
  ])
  if (!row) return null
  const { caseStatus, rejectionReason, outstanding, wasComplete, dataSealed, documentTypes, ...state } = row
  const record =
    dataSealed === null
      ? EMPTY_RECORD
      : openRecord({ partnerCustomerId: key.partnerCustomerId, dataSealed }, vault)
  const facts: Facts = {
    ...state,
    progress: caseStatus && { status: caseStatus, rejectionReason, outstanding },
    submission: dataSealed === null ? null : { wasComplete },
    incompleteFields: incompleteFields(record, now).map(({ path }) => path.join('.')),
    missingDocuments: missingDocuments(new Set(documentTypes)),
    agreements: agreements.map(({ agreementId, agreementVersion, contentHash }) => ({
      agreementId,
      agreementVersion,
      documentUrl: documentUrl(publicBaseUrl, agreementId, contentHash),
    })),
    requirements: requirements.map(({ requirementId, raisedBy }) => ({
      requirementId,
      raisedByReader: raisedBy === key.partnerId,
    })),
  }
  return { status: row.status, steps: nextStepsOf(facts) }
}
