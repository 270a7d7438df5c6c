import {
  newId,
  refuse,
  reply,
  sealerOf,
  type Db,
  type OperationRequest,
  type Transaction,
  type Vault,
} from '@causeway/chassis'
import type { KybRecord, verifications } from '@causeway/contracts'
import * as customerStore from '../customers/store.ts'
import * as merchantStore from '../merchants/store.ts'
import { emit, updateMerchant } from '../relationship-state/changes.ts'
import { partnerEvent } from '../relationship-state/events.ts'
import { lockOwnRelationship } from '../relationship-state/access.ts'
import type { Relationship } from '../relationship-state/relationship.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import { checkUnmodified, checkWrite, submit as submitCase, timeOfWrite } from './case.ts'
import { checkCompleteness, SUBMITTED } from './completeness.ts'
import { verificationEvents } from './events.ts'
import { applyWrite, EMPTY_RECORD } from './kyb-record.ts'
import { openRecord, presentVerification, sealRecord } from './presentation.ts'
import { incrementVersion } from '../relationship-state/case-version-store.ts'
import * as store from './store.ts'
import * as submissionStore from './submission-store.ts'

type Dependencies = Readonly<{ db: Db; vault: Vault }>
type Request = OperationRequest<typeof verifications.submit>

/** Writes KYB data and attempts submission, all in one transaction under the lock of the merchant's row. */
export const submit = async (
  { db, vault }: Dependencies,
  { caller, params, query, body: write = {}, now }: Request,
) =>
  db.transaction(async (tx) => {
    const relationship = await lockOwnRelationship(tx, caller.partnerId, params.customerId)
    if (!relationship) return refuse('resource_not_found')
    const { partnerId, partnerCustomerId, merchantId, linkConfirmed: isShared } = relationship
    const isEmpty = Object.keys(write).length === 0
    const known = isShared ? await store.getProgress(tx, { merchantId }) : null
    const checked = checkWrite(known, isEmpty)
    if (!checked.ok) return checked
    const key = { partnerId, partnerCustomerId }
    const stored = await submissionStore.getForWrite(tx, key)
    const modified = checkUnmodified(query?.unmodified_since, stored, known)
    if (modified) return modified
    const before = stored ? openRecord({ ...stored, partnerCustomerId }, vault) : EMPTY_RECORD
    const merged = applyWrite(before, write)
    if (!merged.ok) return merged
    const progress = isShared
      ? (known ?? (await insertDraft(tx, merchantId, now)))
      : unjoinedDraft(stored?.heldId ?? newId('verification'), merchantId, now)
    const sealer = await sealerOf(tx, vault, { subject: partnerCustomerId, now })
    const { verificationId } = progress
    const own =
      stored && isEmpty
        ? stored
        : await submissionStore.upsert(tx, {
            ...key,
            verificationId: isShared ? verificationId : null,
            heldId: isShared ? null : verificationId,
            dataSealed: sealRecord(merged.value, partnerCustomerId, sealer),
            baselineAt: progress.status === 'pending' ? progress.submittedAt : null,
            now: timeOfWrite(stored, known, now),
          })
    if (!own) throw new Error('A submission was not stored')
    // An empty POST shows one more relationship to the reviewer, and changes no data.
    if (isShared && own !== stored) await incrementVersion(tx, { merchantId, editedAt: isEmpty ? null : now })
    const completeness =
      checked.value === 'present'
        ? SUBMITTED
        : checkCompleteness(merged.value, await submissionStore.documentTypesOf(tx, key), now)
    const outcome = isShared ? completeness : { ...completeness, submitted: false }
    if (checked.value === 'attempt' && outcome.submitted)
      await updateCustomer(tx, relationship, merged.value, now)
    const current = outcome.submitted ? await submitProgress(tx, progress, now) : progress
    const row = { ...current, ...own, partnerCustomerId }
    return reply({ verification: presentVerification(row, merged.value), ...outcome })
  })

const insertDraft = async (tx: Transaction, merchantId: string, now: Date): Promise<store.ProgressRow> => {
  const inserted = await store.insert(tx, { verificationId: newId('verification'), merchantId, now })
  if (!inserted) throw new Error('A case was not stored')
  return { ...inserted, verification: 'required', outstanding: 0 }
}

/**
 * Makes the separate draft that a relationship with an unconfirmed link sees. Complete or not, it does not change the
 * merchant's case, and is submitted by the first POST after the confirmation (decisions §18).
 */
const unjoinedDraft = (verificationId: string, merchantId: string, now: Date): store.ProgressRow => ({
  verificationId,
  merchantId,
  status: 'draft',
  rejectionReason: null,
  statusSince: now,
  version: 1,
  createdAt: now,
  submittedAt: null,
  reviewedAt: null,
  expiresAt: null,
  verification: 'required',
  outstanding: 0,
})

/** The customer's name and country are those of the reader's own submitted data (decisions §3). */
const updateCustomer = async (
  tx: Transaction,
  relationship: Relationship,
  { business }: KybRecord,
  now: Date,
): Promise<void> => {
  const { partnerId, partnerCustomerId, merchantId, status } = relationship
  const changed = await customerStore.updateNameAndCountry(tx, {
    partnerId,
    partnerCustomerId,
    name: business.legal_name,
    country: business.business_registration_country,
  })
  const data = { customer_id: merchantId, relationship_status: status }
  if (changed) emit(tx, partnerEvent(relationship, 'customer.updated', data), now)
}

/** Makes a submitted case pending and emits it, unless it is pending or approved already. */
const submitProgress = async (
  tx: Transaction,
  progress: store.ProgressRow,
  now: Date,
): Promise<store.CaseRow> => {
  const transition = submitCase(progress, now)
  if (transition === null) return progress
  const { verificationId, merchantId, verification } = progress
  const updated = await store.updateStatus(tx, verificationId, transition, now)
  const relationships = await relationshipStore.listOfMerchant(tx, { merchantId })
  for (const draft of verificationEvents(updated, relationships)) emit(tx, draft, now)
  if (verification === 'expired')
    await updateMerchant(tx, merchantId, now, () =>
      merchantStore.updateVerification(tx, { merchantId, verification: 'required', expiresAt: null }),
    )
  return updated
}
