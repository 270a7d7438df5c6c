import {
  destroyDataKey,
  implement,
  metrics,
  pageOf,
  refuse,
  reply,
  type Cursors,
  type Db,
  type Implementation,
  type Transaction,
  type Vault,
} from '@causeway/chassis'
import { personalData, type PersonalRecord } from '@causeway/contracts'
import { randomBytes } from 'node:crypto'
import { judgeErasure } from './erasure.ts'
import * as merchantStore from '../merchants/store.ts'
import * as store from './store.ts'
import { evidenceContext } from '../agreements/presentation.ts'
import { emailContext } from '../customers/presentation.ts'
import { fileNameContext } from '../documents/presentation.ts'
import { kybContext } from '../verifications/presentation.ts'

type Parts = Readonly<{
  db: Db
  vault: Vault
  cursors: Cursors
  kybRetentionMs: number
  /** Called when the bytes of documents are to be deleted. */
  onErased: () => void
}>
/** What an erasure needs, by command or by age. */
export type ErasureParts = Pick<Parts, 'db' | 'kybRetentionMs' | 'onErased'>

const erasures = metrics.counter(
  'causeway_personal_data_erased_total',
  'Relationships whose data was erased',
  ['cause'],
)

/** `onboarding.personal-data`: the export and the erasure of what is held about one customer of one partner. */
export const personalDataOperations = (parts: Parts): Implementation[] => {
  const { db, vault, cursors } = parts
  return implement(personalData, {
    async read({ params, query }) {
      const list = `personal-data:${params.partnerCustomerId}`
      const after = query.cursor === null ? ['0', ''] : cursors.decode(list, query.cursor)
      if (!after) return refuse('invalid_cursor')
      const rows = await db.apart.query(store.readRecords, [
        params.partnerCustomerId,
        ...after,
        query.limit + 1,
      ])
      if (rows.length === 0 && query.cursor === null) return refuse('resource_not_found')
      const { items, last } = pageOf({
        rows,
        limit: query.limit,
        present: (row) => presentRecord(row, vault),
      })
      return reply({
        records: [...items],
        next_cursor: last && cursors.encode(list, [String(last.ordinal), last.id]),
      })
    },

    async erase({ params, now }) {
      const { partnerCustomerId } = params
      return eraseRelationship(parts, { partnerCustomerId, now, cause: 'command' })
    },
  })
}

type Erasing = Readonly<{ partnerCustomerId: string; now: Date; cause: 'command' | 'age' }>

/** Erases what may be erased, and tells what was and what remains. Done again it changes nothing and tells the same. */
export const eraseRelationship = async (
  { db, kybRetentionMs, onErased }: ErasureParts,
  { partnerCustomerId, now, cause }: Erasing,
) => {
  const outcome = await db.transaction(async (tx) => {
    await tx.query(merchantStore.holdOfRelationship, [partnerCustomerId])
    const [found] = await tx.query(store.readState, [partnerCustomerId])
    if (!found) return refuse('resource_not_found')
    const { status, ended_at, erased_at, was_submitted, is_shared } = found
    const judged = judgeErasure(
      { status, endedAt: ended_at, erasedAt: erased_at, wasSubmitted: was_submitted, isShared: is_shared },
      now,
      kybRetentionMs,
    )
    if (!judged.ok) return judged
    const { isDue, erased, remaining } = judged.value
    if (isDue) await destroy(tx, partnerCustomerId, now)
    if (isDue && !is_shared) await destroyOfMerchant(tx, found.merchant_id)
    return reply({ isDue, erased: [...erased], remaining: [...remaining] })
  })
  if (!outcome.ok) return outcome
  const { isDue, erased, remaining } = outcome.value
  if (isDue) {
    erasures.inc({ cause })
    onErased()
  }
  return reply({ erased, remaining })
}

/** The key goes, and with it every backup of what it sealed; the live rows go too. */
const destroy = async (tx: Transaction, id: string, now: Date): Promise<void> => {
  await destroyDataKey(tx, id)
  await tx.query(store.discardBytes, [id])
  await tx.query(store.unlinkDocuments, [id])
  await tx.query(store.deleteDocuments, [id])
  await tx.query(store.deleteSubmission, [id])
  await tx.query(store.eraseEvidence, [id])
  await tx.query(store.eraseRelationship, [id, now])
}

const IDENTITY_BYTES = 32

const destroyOfMerchant = async (tx: Transaction, merchantId: string): Promise<void> => {
  await tx.query(store.eraseIdentity, [merchantId, randomBytes(IDENTITY_BYTES)])
  await tx.query(store.eraseMessages, [merchantId])
}

const opened = (row: store.RecordRow, vault: Vault): Readonly<Record<string, unknown>> => {
  const { kind, id, sealed } = row
  if (sealed === null || sealed === '') return {}
  const open = (context: string) => vault.open(sealed, context).toString()
  if (kind === 'customer') return { email: open(emailContext(id)) }
  if (kind === 'document') return { file_name: open(fileNameContext(id)) }
  if (kind === 'acceptance') return { evidence: JSON.parse(open(evidenceContext(id))) as unknown }
  return JSON.parse(open(kybContext(id))) as Record<string, unknown>
}

const presentRecord = (row: store.RecordRow, vault: Vault): PersonalRecord => ({
  kind: row.kind,
  id: row.id,
  data: { ...row.plain, ...opened(row, vault) },
})
