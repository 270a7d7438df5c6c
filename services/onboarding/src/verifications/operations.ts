import {
  implement,
  newId,
  refuse,
  reply,
  sealerOf,
  type Db,
  type Implementation,
  type Transaction,
  type Vault,
} from '@causeway/chassis'
import { verifications, type KybRecord } from '@causeway/contracts'
import { noticeTo } from '../relationship-state/events.ts'
import { judgeSubmission, SUBMITTED } from './completeness.ts'
import { applyWrite, EMPTY_RECORD } from './kyb-record.ts'
import { onboardingSchema } from './onboarding-schema.ts'
import type { Relationship } from '../relationship-state/relationship.ts'
import { judgeWrite, submitted } from './case.ts'
import { verificationNotices } from './events.ts'
import * as customerStore from '../customers/store.ts'
import { typesPresent } from '../documents/store.ts'
import * as merchantStore from '../merchants/store.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import * as submissionStore from './submission-store.ts'
import * as store from './store.ts'
import { emit } from '../relationship-state/emit.ts'
import { changeStanding } from '../relationship-state/change.ts'
import { holdOwnRelationship } from '../relationship-state/lock.ts'
import { openRecord, presentVerification, sealRecord } from './presentation.ts'

type Parts = Readonly<{ db: Db; vault: Vault }>

/** `onboarding.verifications` (spec: Verifications and KYB field rules; decisions §7). */
export const verificationOperations = ({ db, vault }: Parts): Implementation[] => {
  const schema = onboardingSchema()
  const present = (row: submissionStore.OwnRow | undefined) =>
    row
      ? reply({ verification: presentVerification(row, openRecord(row, vault)) })
      : refuse('resource_not_found')

  return implement(verifications, {
    async submit({ caller, params, body: write = {}, now }) {
      const isEmpty = Object.keys(write).length === 0
      return db.transaction(async (tx) => {
        const relationship = await holdOwnRelationship(tx, caller.partnerId, params.customerId)
        if (!relationship) return refuse('resource_not_found')
        const { partner_id, partner_customer_id, customer_id } = relationship
        const key = [partner_id, partner_customer_id]
        const isShared = relationship.link_confirmed
        const [known] = isShared ? await tx.query(store.readProgress, [customer_id]) : []
        const judged = judgeWrite(known ?? null, isEmpty)
        if (!judged.ok) return judged
        const [kept] = await tx.query(submissionStore.readForWrite, key)
        const before = kept ? openRecord({ ...kept, partner_customer_id }, vault) : EMPTY_RECORD
        const merged = applyWrite(before, write)
        if (!merged.ok) return merged
        const progress = isShared
          ? (known ?? (await begin(tx, customer_id, now)))
          : heldCase(kept?.held_id ?? newId('verification'), customer_id, now)
        const sealer = await sealerOf(tx, vault, { subject: partner_customer_id, now })
        const sealed = sealRecord(merged.value, partner_customer_id, sealer)
        const { verification_id: id } = progress
        const values = [...key, isShared ? id : null, isShared ? null : id, sealed, now]
        const own = kept && isEmpty ? kept : (await tx.query(submissionStore.write, values))[0]
        if (!own) throw new Error('A submission was not stored')
        const judgedNow =
          judged.value === 'present'
            ? SUBMITTED
            : judgeSubmission(merged.value, await typesPresent(tx, partner_id, partner_customer_id), now)
        const standing = isShared ? judgedNow : { ...judgedNow, submitted: false }
        if (judged.value === 'attempt' && standing.submitted)
          await fillCustomer(tx, relationship, merged.value, now)
        const current = standing.submitted ? await settle(tx, progress, now) : progress
        const row = { ...current, ...own, partner_customer_id }
        return reply({ verification: presentVerification(row, merged.value), ...standing })
      })
    },

    async readOfCustomer({ caller, params }) {
      const key = [caller.partnerId, params.customerId]
      return present((await db.query(submissionStore.readOfRelationship, key))[0])
    },

    async read({ caller, params }) {
      const key = [caller.partnerId, params.verificationId]
      return present((await db.query(submissionStore.readOfCase, key))[0])
    },

    schema: async () => reply(schema),
  })
}

const begin = async (tx: Transaction, merchantId: string, now: Date): Promise<store.ProgressRow> => {
  const [begun] = await tx.query(store.insert, [newId('verification'), merchantId, now])
  if (!begun) throw new Error('A case was not stored')
  return { ...begun, verification: 'required', outstanding: 0 }
}

/**
 * What a relationship sees whose link is unconfirmed: a draft of its own. Complete or not, it moves no case, and is
 * submitted by the first POST after the confirmation (decisions §18).
 */
const heldCase = (id: string, merchantId: string, now: Date): store.ProgressRow => ({
  verification_id: id,
  customer_id: merchantId,
  status: 'draft',
  rejection_reason: null,
  status_since: now,
  created_at: now,
  submitted_at: null,
  reviewed_at: null,
  expires_at: null,
  verification: 'required',
  outstanding: 0,
})

/** The customer's name and country are those of the reader's own submitted data (decisions §3). */
const fillCustomer = async (
  tx: Transaction,
  relationship: Relationship,
  { business }: KybRecord,
  now: Date,
): Promise<void> => {
  const { partner_id, partner_customer_id, customer_id, status } = relationship
  const changed = await tx.query(customerStore.fill, [
    partner_id,
    partner_customer_id,
    business.legal_name,
    business.business_registration_country,
  ])
  const data = { customer_id, relationship_status: status }
  if (changed.length > 0) emit(tx, noticeTo(relationship, 'customer.updated', data), now)
}

/** Makes a submitted case pending, unless it is so or further already, and tells of it. */
const settle = async (tx: Transaction, progress: store.ProgressRow, now: Date): Promise<store.CaseRow> => {
  const entries = submitted(progress, now)
  if (entries === null) return progress
  const { verification_id, customer_id: merchantId, verification } = progress
  const moved = await store.move(tx, verification_id, entries, now)
  for (const draft of verificationNotices(
    moved,
    await tx.query(relationshipStore.readOfMerchant, [merchantId]),
  ))
    emit(tx, draft, now)
  if (verification === 'expired')
    await changeStanding(tx, merchantId, now, () =>
      tx.query(merchantStore.setVerification, [merchantId, 'required', null]),
    )
  return moved
}
