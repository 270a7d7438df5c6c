import type { Queryable, Vault } from '@causeway/chassis'
import type { KybRecord } from '@causeway/contracts'
import { relationshipsWithAllAccepted } from '../agreements/store.ts'
import { checkCompleteness } from '../verifications/completeness.ts'
import { openRecord } from '../verifications/presentation.ts'
import { documentTypesOfMany, type OfCaseRow } from '../verifications/submission-store.ts'

/** A relationship's submission to a case, decrypted, and its completeness. */
export type Submission = Readonly<{
  row: OfCaseRow
  record: KybRecord
  complete: boolean
  /** True if the relationship accepted every current agreement. */
  accepted: boolean
}>

export const openSubmissions = async (
  tx: Queryable,
  rows: readonly OfCaseRow[],
  vault: Vault,
  now: Date,
): Promise<Submission[]> => {
  const ids = rows.map((row) => row.partnerCustomerId)
  const typesOf = await documentTypesOfMany(tx, ids)
  const accepted = await relationshipsWithAllAccepted(tx, ids)
  return rows.map((row) => {
    const { partnerCustomerId: id } = row
    const record = openRecord(row, vault)
    const complete = checkCompleteness(record, typesOf(id), now).submitted
    return { row, record, complete, accepted: accepted.has(id) }
  })
}

export const positionOfSubmission = (row: OfCaseRow) => ({ at: row.createdAt, id: row.partnerCustomerId })
