import {
  jsonBytes,
  keysetList,
  OLDEST_FIRST,
  PAGE_MAX_BYTES,
  refuse,
  reply,
  type Cursors,
  type Db,
  type OperationRequest,
  type Queryable,
  type Vault,
} from '@causeway/chassis'
import type { Document, reviews } from '@causeway/contracts'
import * as documentList from '../documents/list.ts'
import { presentDocument } from '../documents/presentation.ts'
import * as documentStore from '../documents/store.ts'
import { pageOfRequirements, staffListOf } from '../requirements/list.ts'
import * as requirementStore from '../requirements/store.ts'
import { presentCase } from '../verifications/presentation.ts'
import * as verificationStore from '../verifications/store.ts'
import * as submissionStore from '../verifications/submission-store.ts'
import { listCaseChanges } from './case-changes.ts'
import { openSubmissions, positionOfSubmission, type Submission } from './submissions.ts'
import { takeFitting } from './take-fitting.ts'
import { warningsOf } from './warnings.ts'

type Dependencies = Readonly<{ db: Db; vault: Vault; cursors: Cursors }>

const presentSubmission = ({ row, record, complete, accepted }: Submission, now: Date) => ({
  partner_id: row.partnerId,
  partner_customer_id: row.partnerCustomerId,
  relationship_status: row.relationshipStatus,
  complete,
  agreements_accepted: accepted,
  ...record,
  warnings: warningsOf(record, now),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt?.toISOString() ?? null,
})

/** Bound of all records on a page. A larger one, at most 470 KiB, is shown alone. */
const RECORDS_MAX_BYTES = 320 * 1024
/** Sealed records are a third longer than open ones: this many fill the page's bound. */
const SEALED_MAX_BYTES = 1024 * 1024
/** Reserved for the case itself, and for each relationship's cursor of documents and time of comparison. */
const CASE_BYTES = 1024
const CURSOR_BYTES = 300
/** How much of what the records leave is for what has changed: a quarter, at least 9 KiB. */
const CHANGES_SHARE = 0.25
/** Documents of each relationship, and requirements, that a page shows. */
const FIRST = 100

/** The first documents of each relationship: bytes that one does not need of its share go to the next ones. */
const listFirstDocuments = async (
  tx: Queryable,
  { vault, cursors }: Dependencies,
  partnerCustomerIds: readonly string[],
  maxBytes: number,
) => {
  const rows = await documentStore.listFirst(tx, { partnerCustomerIds, limitOfEach: FIRST + 1 })
  let left = maxBytes
  return partnerCustomerIds.map((id, index) => {
    const list = documentList.staffListOf(cursors, id)
    const own = rows.filter((row) => row.partnerCustomerId === id)
    const share = Math.floor(left / (partnerCustomerIds.length - index))
    const presented = own.slice(0, FIRST).map((row) => presentDocument(row, vault))
    const documents: Document[] = takeFitting(presented, share)
    left -= jsonBytes(documents)
    const last = own[documents.length - 1]
    const end = last ? documentList.positionOfDocument(last) : OLDEST_FIRST.start
    return {
      documents,
      documents_next_cursor: documents.length < own.length ? list.cursorAfter(end) : null,
    }
  })
}

/**
 * Reads a case for staff: a page of submissions with the first of its requirements and of each relationship's documents. The
 * response is at most 512 KiB; the rest is read with cursors, so that nothing has to be approved unseen (decisions §18).
 */
export const getCase = async (
  dependencies: Dependencies,
  { params: { verificationId }, query: { limit, cursor }, now }: OperationRequest<typeof reviews.get>,
) => {
  const { db, vault, cursors } = dependencies
  const list = keysetList(cursors, { name: `case-files:${verificationId}`, order: OLDEST_FIRST })
  const after = list.after(cursor)
  if (!after) return refuse('invalid_cursor')
  return db.transaction(async (tx) => {
    const found = await verificationStore.get(tx, { verificationId })
    if (!found) return refuse('resource_not_found')
    const page = { verificationId, ...after, limit, maxSealedBytes: SEALED_MAX_BYTES }
    const rows = await openSubmissions(tx, await submissionStore.listPageOfCase(tx, page), vault, now)
    const { items, last } = list.page({
      rows,
      limit,
      present: (submission) => presentSubmission(submission, now),
      maxBytes: RECORDS_MAX_BYTES,
      positionOf: ({ row }) => positionOfSubmission(row),
    })
    const final = rows.at(-1)?.row
    const end = last?.row ?? (final?.hasNext ? final : null)
    const room = PAGE_MAX_BYTES - jsonBytes(items) - CASE_BYTES - items.length * CURSOR_BYTES
    const shown = rows.slice(0, items.length).map(({ row, record }) => ({ ...row, record }))
    const changes = await listCaseChanges(tx, vault, shown, Math.floor(room * CHANGES_SHARE))
    const left = room - jsonBytes(changes)
    const { merchantId } = found
    const first = { merchantId, ...OLDEST_FIRST.start, limit: FIRST + 1 }
    const raised = pageOfRequirements(staffListOf(cursors, merchantId), {
      rows: await requirementStore.listPageByStaff(tx, first),
      limit: FIRST,
      reader: null,
      maxBytes: left / 2,
    })
    const ids = items.map((submission) => submission.partner_customer_id)
    const documents = await listFirstDocuments(tx, dependencies, ids, left - jsonBytes(raised))
    return reply({
      verification: {
        ...presentCase(found),
        relationships: items.map((submission, index) => ({
          ...submission,
          ...(documents[index] ?? { documents: [], documents_next_cursor: null }),
          changes: changes[index] ?? null,
        })),
        requirements: raised.requirements,
        requirements_next_cursor: raised.next_cursor,
      },
      next_cursor: list.cursorAfter(end && positionOfSubmission(end)),
    })
  })
}
