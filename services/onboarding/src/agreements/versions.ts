import {
  keysetList,
  NEWEST_FIRST,
  refuse,
  reply,
  type Cursors,
  type Db,
  type OperationRequest,
} from '@causeway/chassis'
import type { agreements } from '@causeway/contracts'
import { presentForStaff } from './presentation.ts'
import * as store from './store.ts'

type Dependencies = Readonly<{ db: Db; cursors: Cursors; publicBaseUrl: string }>

/** Every version for staff, the newest first. */
export const listVersions = async (
  { db, cursors, publicBaseUrl }: Dependencies,
  { query }: OperationRequest<typeof agreements.listByStaff>,
) => {
  const list = keysetList(cursors, { name: 'agreement-versions', order: NEWEST_FIRST })
  const from = list.after(query.cursor)
  if (from === null) return refuse('invalid_cursor')
  const { items, nextCursor } = list.page({
    rows: await store.listVersions(db, { at: from.at, id: from.id, limit: query.limit + 1 }),
    limit: query.limit,
    present: (row) => presentForStaff(row, publicBaseUrl),
    positionOf: (row) => ({ at: row.publishedAt, id: `${row.agreementId}/${row.version}` }),
  })
  return reply({ versions: items, next_cursor: nextCursor })
}
