import { refuse } from '@causeway/chassis'
import { Remaining, type ErasedData, type Refusal, type RelationshipStatus } from '@causeway/contracts'
import { reportedData } from '../columns.ts'

/** Facts that decide whether a relationship's personal data may be erased, and how much. */
export type ErasureState = Readonly<{
  status: RelationshipStatus
  endedAt: Date | null
  erasedAt: Date | null
  /** True if its data was ever part of a submitted case: such records must be kept by law. */
  wasSubmitted: boolean
  /** True if another relationship of the same merchant still has its data. */
  isShared: boolean
}>

/** Effect of an erasure: nothing yet, or everything that is allowed. */
export type Erasure = Readonly<{
  isDue: boolean
  erased: readonly ErasedData[]
  remaining: readonly Remaining[]
}>

const OWN = reportedData('relationship')
const OF_MERCHANT = reportedData('merchant')
const remains = (what: Remaining['what'], why: string, until: Date | null = null): Remaining => ({
  what,
  why,
  until: until?.toISOString() ?? null,
})

const ALWAYS: readonly Remaining[] = [
  remains(
    'acceptances',
    'Which agreement was accepted and when is proof of a contract; without its evidence',
  ),
  remains('payments', 'Orders and their amounts are accounting records of the payments service'),
  remains('backups', 'The key of this data is in backups of the table data_keys until they expire'),
]

/**
 * Decides on the erasure of a relationship's personal data. Records of a submitted case stay until their retention is
 * over, counted from the end of the relationship; what belongs to the merchant stays while another relationship has
 * data.
 * @param retentionMs how long records of a case are kept after the relationship ended
 */
export const decideErasure = (
  state: ErasureState,
  now: Date,
  retentionMs: number,
): Readonly<{ ok: true; value: Erasure }> | Refusal<'invalid_state'> => {
  const { status, endedAt, erasedAt, wasSubmitted, isShared } = state
  if (status === 'active') return refuse('invalid_state', [{ from: 'active', to: 'erased' }])
  const until = new Date((endedAt ?? now).getTime() + retentionMs)
  if (erasedAt === null && wasSubmitted && until > now) {
    const records = remains(
      'kyb_records',
      'Records of a submitted case are kept by law: KYB_RETENTION',
      until,
    )
    return { ok: true, value: { isDue: false, erased: [], remaining: [records, ...ALWAYS] } }
  }
  const why = 'Another partner has a relationship with the same merchant'
  const kept = Remaining.shape.what.options.filter((what) => OF_MERCHANT.some((name) => name === what))
  const shared = isShared ? kept.map((what) => remains(what, why)) : []
  const erased = isShared ? OWN : [...OWN, ...OF_MERCHANT]
  return { ok: true, value: { isDue: erasedAt === null, erased, remaining: [...shared, ...ALWAYS] } }
}
