import {
  pageOf,
  refuse,
  reply,
  type Cursors,
  type Db,
  type OperationRequest,
  type Vault,
} from '@causeway/chassis'
import type { documents } from '@causeway/contracts'
import * as store from './store.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import { cursorAfter, positionOf } from '../list-position.ts'
import { presentDocument } from './presentation.ts'

type Parts = Readonly<{ db: Db; vault: Vault; cursors: Cursors }>

/** Name of the list of a relationship's documents for staff. */
export const documentsOf = (partnerCustomerId: string): string => `documents-of:${partnerCustomerId}`

const pageOfDocuments = (
  { vault, cursors }: Parts,
  list: string,
  rows: readonly store.DocumentRow[],
  limit: number,
) => {
  const { items, last } = pageOf({ rows, limit, present: (row) => presentDocument(row, vault) })
  return {
    documents: [...items],
    next_cursor: cursorAfter(cursors, list, last && { at: last.uploaded_at, id: last.document_id }),
  }
}

/** A page of what a partner has uploaded for its customer (decisions §18). */
export const listDocuments = async (
  parts: Parts,
  { caller, params, query: { limit, cursor } }: OperationRequest<typeof documents.list>,
) => {
  const { db, cursors } = parts
  const key = [caller.partnerId, params.customerId]
  const list = `documents:${key.join(':')}`
  const after = positionOf(cursors, list, cursor)
  if (!after) return refuse('invalid_cursor')
  const [[relationship], rows] = await Promise.all([
    db.query(relationshipStore.readOfPartner, key),
    db.query(store.readPage, [...key, ...after, limit + 1]),
  ])
  if (relationship?.status !== 'active') return refuse('resource_not_found')
  return reply(pageOfDocuments(parts, list, rows, limit))
}

/** The same for staff, of any relationship. */
export const listDocumentsForStaff = async (
  parts: Parts,
  { params: { partnerCustomerId }, query: { limit, cursor } }: OperationRequest<typeof documents.listByStaff>,
) => {
  const { db, cursors } = parts
  const list = documentsOf(partnerCustomerId)
  const after = positionOf(cursors, list, cursor)
  if (!after) return refuse('invalid_cursor')
  const [[relationship], rows] = await Promise.all([
    db.query(relationshipStore.read, [partnerCustomerId]),
    db.query(store.readPageForStaff, [partnerCustomerId, ...after, limit + 1]),
  ])
  return relationship ? reply(pageOfDocuments(parts, list, rows, limit)) : refuse('resource_not_found')
}
