import {
  keysetList,
  OLDEST_FIRST,
  refuse,
  reply,
  type Cursors,
  type Db,
  type KeysetList,
  type OperationRequest,
  type Vault,
} from '@causeway/chassis'
import type { documents } from '@causeway/contracts'
import { getOwnRelationship } from '../relationship-state/access.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import { presentDocument } from './presentation.ts'
import * as store from './store.ts'

type Dependencies = Readonly<{ db: Db; vault: Vault; cursors: Cursors }>

const DOCUMENT_ORDER = OLDEST_FIRST
type Position = typeof DOCUMENT_ORDER.start

export const positionOfDocument = (row: store.DocumentRow): Position => ({
  at: row.uploadedAt,
  id: row.documentId,
})

/** The list of a relationship's documents for staff, which reviews begin and `listByStaff` continues. */
export const staffListOf = (cursors: Cursors, partnerCustomerId: string): KeysetList<Position> =>
  keysetList(cursors, { name: `documents-of:${partnerCustomerId}`, order: DOCUMENT_ORDER })

const pageOfDocuments = (
  list: KeysetList<Position>,
  vault: Vault,
  { rows, limit }: Readonly<{ rows: readonly store.DocumentRow[]; limit: number }>,
) => {
  const present = (row: store.DocumentRow) => presentDocument(row, vault)
  const page = list.page({ rows, limit, present, positionOf: positionOfDocument })
  return reply({ documents: page.items, next_cursor: page.nextCursor })
}

/** A page of what a partner has uploaded for its customer (decisions §18). */
export const listDocuments = async (
  { db, vault, cursors }: Dependencies,
  { caller, params, query: { limit, cursor } }: OperationRequest<typeof documents.list>,
) => {
  const key = { partnerId: caller.partnerId, partnerCustomerId: params.customerId }
  const name = `documents:${key.partnerId}:${key.partnerCustomerId}`
  const list = keysetList(cursors, { name, order: DOCUMENT_ORDER })
  const after = list.after(cursor)
  if (!after) return refuse('invalid_cursor')
  const [relationship, rows] = await Promise.all([
    getOwnRelationship(db, key.partnerId, key.partnerCustomerId),
    store.listPage(db, { ...key, ...after, limit: limit + 1 }),
  ])
  return relationship ? pageOfDocuments(list, vault, { rows, limit }) : refuse('resource_not_found')
}

/** The same for staff, of any relationship. */
export const listDocumentsByStaff = async (
  { db, vault, cursors }: Dependencies,
  { params: { partnerCustomerId }, query: { limit, cursor } }: OperationRequest<typeof documents.listByStaff>,
) => {
  const list = staffListOf(cursors, partnerCustomerId)
  const after = list.after(cursor)
  if (!after) return refuse('invalid_cursor')
  const [relationship, rows] = await Promise.all([
    relationshipStore.get(db, { partnerCustomerId }),
    store.listPageByStaff(db, { partnerCustomerId, ...after, limit: limit + 1 }),
  ])
  return relationship ? pageOfDocuments(list, vault, { rows, limit }) : refuse('resource_not_found')
}
