import { jsonBytes, type Queryable, type Vault } from '@causeway/chassis'
import type { CaseChanges, KybRecord } from '@causeway/contracts'
import { openRecord } from '../verifications/presentation.ts'
import { listBaselines } from '../verifications/submission-store.ts'
import { changesBetween } from './changes.ts'
import { takeFitting } from './take-fitting.ts'

/** Records to compare with are a few KiB each; more than these are only told of. */
const SEALED_MAX_BYTES = 1024 * 1024

type Item = Readonly<{ partnerCustomerId: string; record: KybRecord }>
type Baseline = Awaited<ReturnType<typeof listBaselines>>[number]

const present = (
  { record }: Item,
  { partnerCustomerId, baselineAt, dataSealed }: Baseline,
  vault: Vault,
  maxBytes: number,
): CaseChanges => {
  const since = baselineAt.toISOString()
  if (dataSealed === null) return { since, fields: [], people: [], complete: false }
  const all = changesBetween(openRecord({ partnerCustomerId, dataSealed }, vault), record)
  const fields = takeFitting(all.fields, maxBytes)
  const people = takeFitting(all.people, maxBytes - jsonBytes(fields))
  const complete = fields.length === all.fields.length && people.length === all.people.length
  return { since, fields, people, complete }
}

/**
 * Lists the changes of each relationship since its baseline was stored, in the order of the items; null without a baseline.
 * The unused part of an item's size limit goes to the next ones.
 */
export const listCaseChanges = async (
  tx: Queryable,
  vault: Vault,
  items: readonly Item[],
  maxBytes: number,
): Promise<(CaseChanges | null)[]> => {
  const partnerCustomerIds = items.map((item) => item.partnerCustomerId)
  const baselines = await listBaselines(tx, { partnerCustomerIds, maxSealedBytes: SEALED_MAX_BYTES })
  let left = maxBytes
  return items.map((item, index) => {
    const baseline = baselines.find((row) => row.partnerCustomerId === item.partnerCustomerId)
    if (baseline === undefined) return null
    const changes = present(item, baseline, vault, Math.floor(left / (items.length - index)))
    left -= jsonBytes(changes.fields) + jsonBytes(changes.people)
    return changes
  })
}
