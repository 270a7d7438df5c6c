import {
  jsonBytes,
  PAGE_MAX_BYTES,
  pageOf,
  refuse,
  reply,
  type Cursors,
  type Db,
  type OperationRequest,
  type Queryable,
  type Vault,
} from '@causeway/chassis'
import type { Document, KybRecord, reviews } from '@causeway/contracts'
import { judgeSubmission } from '../verifications/completeness.ts'
import { agreementsStanding } from '../agreements/store.ts'
import * as documentStore from '../documents/store.ts'
import * as requirementStore from '../requirements/store.ts'
import * as submissionStore from '../verifications/submission-store.ts'
import * as store from '../verifications/store.ts'
import { documentsOf } from '../documents/list.ts'
import { cursorAfter, LIST_START, positionOf } from '../list-position.ts'
import { presentDocument } from '../documents/presentation.ts'
import { openRecord, presentCase } from '../verifications/presentation.ts'
import { pageOfRequirements, requirementsOf } from '../requirements/operations.ts'

type Parts = Readonly<{ db: Db; vault: Vault; cursors: Cursors }>

/** What one relationship has brought to a case, and how far it has come. */
type OpenFile = Readonly<{
  row: submissionStore.FileRow
  record: KybRecord
  complete: boolean
  accepted: boolean
}>

/** Opens what some relationships have brought to a case. */
export const openFiles = async (
  tx: Queryable,
  rows: readonly submissionStore.FileRow[],
  vault: Vault,
  now: Date,
): Promise<OpenFile[]> => {
  const ids = rows.map((row) => row.partner_customer_id)
  const typesOf = await documentStore.typesPresentOf(tx, ids)
  const accepted = await agreementsStanding(tx, ids)
  return rows.map((row) => {
    const { partner_customer_id: id } = row
    const record = openRecord(row, vault)
    const complete = judgeSubmission(record, typesOf(id), now).submitted
    return { row, record, complete, accepted: accepted.has(id) }
  })
}

const presentFile = ({ row, record, complete, accepted }: OpenFile) => ({
  partner_id: row.partner_id,
  partner_customer_id: row.partner_customer_id,
  relationship_status: row.relationship_status,
  complete,
  agreements_accepted: accepted,
  ...record,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at?.toISOString() ?? null,
})

/** What relationships' own data may take of a page; one that is larger, 470 KiB at the most, is shown alone. */
const RECORDS_MAX_BYTES = 320 * 1024
/** Sealed records are a third longer than open ones: this many fill the room for them. */
const SEALED_MAX_BYTES = 1024 * 1024
/** What is left for the case itself, and for the cursor of each relationship's documents. */
const CASE_BYTES = 1024
const CURSOR_BYTES = 200
/** Documents and requirements of which a page shows the first. */
const FIRST = 100

/** As many items as fit, be it none. */
const fitting = <T>(items: readonly T[], room: number): T[] => {
  const shown: T[] = []
  let left = room
  for (const item of items) {
    left -= jsonBytes(item) + 1
    if (left < 0) break
    shown.push(item)
  }
  return shown
}

/** The first documents of each relationship: what one does not need of its share is the next ones'. */
const readFirstDocuments = async (
  tx: Queryable,
  { vault, cursors }: Parts,
  partnerCustomerIds: readonly string[],
  room: number,
) => {
  const rows = await tx.query(documentStore.readFirst, [partnerCustomerIds, FIRST + 1])
  let left = room
  return partnerCustomerIds.map((id, index) => {
    const own = rows.filter((row) => row.partner_customer_id === id)
    const share = Math.floor(left / (partnerCustomerIds.length - index))
    const presented = own.slice(0, FIRST).map((row) => presentDocument(row, vault))
    const documents: Document[] = fitting(presented, share)
    left -= jsonBytes(documents)
    const last = own[documents.length - 1]
    const end = last && { at: last.uploaded_at, id: last.document_id }
    const start = cursors.encode(documentsOf(id), LIST_START)
    const goesOn = documents.length < own.length
    const cursor = end ? cursorAfter(cursors, documentsOf(id), end) : start
    return { documents, documents_next_cursor: goesOn ? cursor : null }
  })
}

/**
 * A case as staff read it: a page of what relationships have brought, beside the first of its requirements and of each
 * relationship's documents. All of it together is at most 512 KiB; what has no room is read by its cursor, so that
 * nothing has to be approved unseen (decisions §18).
 */
export const readCase = async (
  parts: Parts,
  { params, query, now }: OperationRequest<typeof reviews.read>,
) => {
  const { db, vault, cursors } = parts
  const { verificationId } = params
  const list = `case-files:${verificationId}`
  const after = positionOf(cursors, list, query.cursor)
  if (!after) return refuse('invalid_cursor')
  return db.transaction(async (tx) => {
    const [found] = await tx.query(store.readOne, [verificationId])
    if (!found) return refuse('resource_not_found')
    const page = [verificationId, ...after, query.limit, SEALED_MAX_BYTES]
    const rows = await openFiles(tx, await tx.query(submissionStore.readPageOfCase, page), vault, now)
    const { limit } = query
    const { items, last } = pageOf({ rows, limit, present: presentFile, maxBytes: RECORDS_MAX_BYTES })
    const final = rows.at(-1)?.row
    const end = last?.row ?? (final?.goes_on ? final : null)
    const room = PAGE_MAX_BYTES - jsonBytes(items) - CASE_BYTES - items.length * CURSOR_BYTES
    const merchantId = found.customer_id
    const raised = pageOfRequirements(cursors, requirementsOf(merchantId), {
      rows: await tx.query(requirementStore.readPageOfMerchant, [merchantId, ...LIST_START, FIRST + 1]),
      limit: FIRST,
      reader: null,
      maxBytes: room / 2,
    })
    const ids = items.map((file) => file.partner_customer_id)
    const documents = await readFirstDocuments(tx, parts, ids, room - jsonBytes(raised))
    return reply({
      verification: {
        ...presentCase(found),
        relationships: items.map((file, index) => ({
          ...file,
          ...(documents[index] ?? { documents: [], documents_next_cursor: null }),
        })),
        requirements: raised.requirements,
        requirements_next_cursor: raised.next_cursor,
      },
      next_cursor: cursorAfter(cursors, list, end && { at: end.created_at, id: end.partner_customer_id }),
    })
  })
}
