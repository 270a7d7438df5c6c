import {
  implement,
  refuse,
  reply,
  withBefore,
  type Cursors,
  type Db,
  type Implementation,
  type Transaction,
  type Vault,
} from '@causeway/chassis'
import { reviews, type KybRecord } from '@causeway/contracts'
import { judgeSubmission } from '../domain/completeness.ts'
import { seenBy } from '../domain/requirements.ts'
import { approved, rejected, type ApprovalGate, type Reviewed } from '../domain/verification-case.ts'
import { verificationNotices } from '../domain/verification-events.ts'
import { agreementsStanding } from '../store/agreements.ts'
import * as documentStore from '../store/documents.ts'
import * as merchantStore from '../store/merchants.ts'
import * as relationshipStore from '../store/relationships.ts'
import * as requirementStore from '../store/requirements.ts'
import * as submissionStore from '../store/submissions.ts'
import * as store from '../store/verifications.ts'
import { emit } from './announce.ts'
import { changeStanding } from './change-standing.ts'
import { presentDocument } from './present-document.ts'
import { heldRequirement } from './present-requirement.ts'
import { openRecord, presentCase } from './present-verification.ts'

type Parts = Readonly<{ db: Db; vault: Vault; cursors: Cursors; verificationTtlMs: number }>

/** Sorts before every row. */
const LIST_START = ['-infinity', '']

/** `onboarding.reviews`: how staff judge cases (decisions §14). */
export const reviewOperations = (parts: Parts): Implementation[] => {
  const { db, vault, cursors } = parts
  return implement(reviews, {
    async list({ query }) {
      const { status, limit, cursor } = query
      const list = `reviews:${status ?? 'all'}`
      const after = cursor === null ? LIST_START : cursors.decode(list, cursor)
      if (!after) return refuse('invalid_cursor')
      const rows =
        status === undefined
          ? await db.query(store.readPage, [...after, limit])
          : await db.query(store.readPageOfStatus, [...after, limit, status])
      const last = rows.length === limit ? rows.at(-1) : undefined
      return reply({
        verifications: rows.map(presentCase),
        next_cursor: last
          ? cursors.encode(list, [last.status_since.toISOString(), last.verification_id])
          : null,
      })
    },

    async read({ params, now }) {
      return db.transaction(async (tx) => {
        const [found] = await tx.query(store.readOne, [params.verificationId])
        if (!found) return refuse('resource_not_found')
        const files = await openFiles(tx, found, vault, now)
        const raised = await tx.query(requirementStore.readOfMerchant, [found.customer_id])
        const relationships = files.map(({ record, row, documents, complete, accepted }) => ({
          partner_id: row.partner_id,
          partner_customer_id: row.partner_customer_id,
          relationship_status: row.relationship_status,
          complete,
          agreements_accepted: accepted,
          ...record,
          documents: documents.map((document) => presentDocument(document, vault)),
          created_at: row.created_at.toISOString(),
          updated_at: row.updated_at?.toISOString() ?? null,
        }))
        const all = raised.map((row) => seenBy(null, heldRequirement(row)))
        return reply({ verification: { ...presentCase(found), relationships, requirements: all } })
      })
    },

    approve: ({ params, now }) =>
      review(db, params.verificationId, now, async (tx, found) => {
        const gate = gateOf(await openFiles(tx, found, vault, now))
        return approved(found, gate, { now, timeToLiveMs: parts.verificationTtlMs })
      }),

    reject: ({ params, body, now }) =>
      review(db, params.verificationId, now, async (_tx, found) =>
        rejected(found, body.rejection_reason, now),
      ),
  })
}

type CaseFile = Readonly<{
  row: submissionStore.FileRow
  record: KybRecord
  documents: readonly documentStore.DocumentRow[]
  complete: boolean
  accepted: boolean
}>

/** What every relationship has brought to a case, and how far it has come. */
const openFiles = async (
  tx: Transaction,
  { verification_id, customer_id }: store.CaseRow,
  vault: Vault,
  now: Date,
): Promise<CaseFile[]> => {
  const rows = await tx.query(submissionStore.readAllOfCase, [verification_id])
  const documents = await tx.query(documentStore.readOfMerchant, [customer_id])
  const accepted = await agreementsStanding(
    tx,
    rows.map((row) => row.partner_customer_id),
  )
  return rows.map((row) => {
    const record = openRecord(row, vault)
    const own = documents.filter((document) => document.partner_customer_id === row.partner_customer_id)
    const types = new Set(own.map((document) => document.document_type).filter((type) => type !== 'other'))
    const complete = judgeSubmission(record, types, now).submitted
    return { row, record, documents: own, complete, accepted: accepted.has(row.partner_customer_id) }
  })
}

const gateOf = (files: readonly CaseFile[]): ApprovalGate => {
  const complete = files.filter((file) => file.complete && file.row.relationship_status === 'active')
  if (complete.length === 0) return 'submission_incomplete'
  return complete.some((file) => file.accepted) ? null : 'agreement_required'
}

/** Reviews a case: its merchant's row is held, the move judged and stored, and every partner told. */
const review = async (
  db: Db,
  verificationId: string,
  now: Date,
  judge: (tx: Transaction, found: store.CaseRow) => Promise<Reviewed>,
) =>
  db.transaction(async (tx) => {
    const [named] = await tx.query(store.readOne, [verificationId])
    if (!named) return refuse('resource_not_found')
    const merchantId = named.customer_id
    await tx.query(merchantStore.hold, [merchantId])
    const [found] = await tx.query(store.readOne, [verificationId])
    if (!found) throw new Error('A case is gone')
    const judged = await judge(tx, found)
    if (!judged.ok) return judged
    const moved = await store.move(tx, verificationId, judged.value, now)
    const relationships = await tx.query(relationshipStore.readOfMerchant, [merchantId])
    for (const draft of verificationNotices(moved, relationships)) emit(tx, draft, now)
    if (moved.status === 'approved')
      await changeStanding(tx, merchantId, now, () =>
        tx.query(merchantStore.setVerification, [merchantId, 'approved', moved.expires_at]),
      )
    return withBefore(reply({ verification: presentCase(moved) }), { verification: presentCase(found) })
  })
