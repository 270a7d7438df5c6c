import {
  implement,
  keysetList,
  refuse,
  reply,
  type Cursors,
  type Implementation,
  type KeysetOrder,
  type Vault,
} from '@causeway/chassis'
import { personalData, type PersonalRecord } from '@causeway/contracts'
import { eraseRelationship, type ErasureDependencies } from './erasure.ts'
import * as store from './store.ts'

type Dependencies = ErasureDependencies & Readonly<{ vault: Vault; cursors: Cursors }>

/** By the kind of the record, then by its id. */
const RECORD_ORDER: KeysetOrder<Readonly<{ ordinal: number; id: string }>> = {
  start: { ordinal: 0, id: '' },
  write: ({ ordinal, id }) => [String(ordinal), id],
  read: ([ordinal, id]) => (id === undefined ? null : { ordinal: Number(ordinal), id }),
}

/** `onboarding.personal-data`: the export and the erasure of what is stored about one customer of one partner. */
export const personalDataOperations = (dependencies: Dependencies): Implementation[] => {
  const { db, vault, cursors } = dependencies
  return implement(personalData, {
    async export({ params: { partnerCustomerId }, query: { limit, cursor } }) {
      const name = `personal-data:${partnerCustomerId}`
      const list = keysetList(cursors, { name, order: RECORD_ORDER })
      const after = list.after(cursor)
      if (!after) return refuse('invalid_cursor')
      const rows = await store.listRecords(db.pooled, { partnerCustomerId, ...after, limit: limit + 1 })
      if (rows.length === 0 && cursor === null) return refuse('resource_not_found')
      const present = (row: store.RecordRow) => presentRecord(row, vault)
      const page = list.page({ rows, limit, present, positionOf: ({ ordinal, id }) => ({ ordinal, id }) })
      return reply({ records: page.items, next_cursor: page.nextCursor })
    },

    erase: ({ params: { partnerCustomerId }, now }) =>
      eraseRelationship(dependencies, { partnerCustomerId, now, cause: 'command' }),
  })
}

const openSealed = (row: store.RecordRow, vault: Vault): Readonly<Record<string, unknown>> => {
  const { id, sealed } = row
  const column = store.sealedColumnOf(row)
  if (sealed === null || sealed === '' || !column?.sealed || typeof column.exportAs !== 'function') return {}
  return column.exportAs(vault.open(sealed, column.sealed.contextOf(id)).toString())
}

const presentRecord = (row: store.RecordRow, vault: Vault): PersonalRecord => ({
  kind: row.kind,
  id: row.id,
  data: { ...row.plain, ...openSealed(row, vault) },
})
