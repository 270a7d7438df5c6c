import { refuse } from '@causeway/chassis'
import {
  KYB_GROUPS,
  MAX_ADDITIONAL_BYTES,
  MAX_ADDITIONAL_KEYS,
  MAX_PEOPLE_BYTES,
  type ErrorDetail,
  type KybGroup,
  type KybRecord,
  type KybWrite,
  type Refusal,
} from '@causeway/contracts'

type Fields = Readonly<Record<string, unknown>>

const GROUP_NAMES = Object.keys(KYB_GROUPS) as KybGroup[]

/** Values of cleared fields, where they are not null. */
const CLEARED: Readonly<Partial<Record<KybGroup, Fields>>> = {
  commercial: { requested_payment_methods: [] },
  consent: { marketing_opt_in: false },
}

/** A group after a write: fields left out stay as they are, null clears, null for the group clears all of it. */
const mergeGroup = (name: KybGroup, before: Fields, write: Fields | null | undefined): Fields =>
  Object.fromEntries(
    Object.keys(KYB_GROUPS[name].shape).map((field) => {
      const written = write === null ? null : write?.[field]
      const value = written === undefined ? before[field] : written
      return [field, value ?? CLEARED[name]?.[field] ?? null]
    }),
  )

/** Keys of `additional_data` are set one by one; null deletes one. */
const mergeAdditional = (
  before: KybRecord['additional_data'],
  write: KybWrite['additional_data'],
): KybRecord['additional_data'] => {
  if (write === null) return {}
  const merged = new Map([...Object.entries(before), ...Object.entries(write ?? {})])
  return Object.fromEntries([...merged].filter(([, value]) => value !== null))
}

const merge = (before: KybRecord, write: KybWrite): KybRecord => ({
  ...(Object.fromEntries(
    GROUP_NAMES.map((name) => [name, mergeGroup(name, before[name], write[name])]),
  ) as Pick<KybRecord, KybGroup>),
  directors: write.directors === undefined ? before.directors : (write.directors ?? []),
  ubos: write.ubos === undefined ? before.ubos : (write.ubos ?? []),
  ubo_declaration:
    write.ubo_declaration === undefined ? before.ubo_declaration : (write.ubo_declaration ?? 'has_ubos'),
  additional_data: mergeAdditional(before.additional_data, write.additional_data),
})

const nothing = { business: {}, registered_address: {}, contact: {}, commercial: {}, consent: {} }

/** The record of a relationship that has written nothing. */
export const EMPTY_RECORD: KybRecord = merge(
  {
    ...(nothing as Pick<KybRecord, KybGroup>),
    directors: [],
    ubos: [],
    ubo_declaration: 'has_ubos',
    additional_data: {},
  },
  {},
)

/** A stored record, brought up to the schema of today. */
export const recordFrom = (kept: KybWrite): KybRecord => merge(EMPTY_RECORD, kept)

/**
 * Limits of what may grow by many writes, in bytes of compact JSON. With them a whole record stays under 470 KiB: its
 * other texts have at most 500 characters (decisions §18).
 */
const MAX_BYTES = {
  additional_data: MAX_ADDITIONAL_BYTES,
  directors: MAX_PEOPLE_BYTES,
  ubos: MAX_PEOPLE_BYTES,
} as const satisfies Partial<Record<keyof KybRecord, number>>

const excessesOf = (record: KybRecord): ErrorDetail[] =>
  (['additional_data', 'directors', 'ubos'] as const)
    .filter((field) => Buffer.byteLength(JSON.stringify(record[field])) > MAX_BYTES[field])
    .map((field) => ({ field, reason: 'too_large', limit: MAX_BYTES[field] }))

const contradictionsOf = (record: KybRecord): ErrorDetail[] => {
  const listsNone = record.ubo_declaration === 'no_qualifying_ubo'
  const keys = Object.keys(record.additional_data).length
  return [
    ...(listsNone && record.ubos.length > 0
      ? [
          {
            field: 'ubos',
            reason: 'invalid_value',
            expected: 'an empty list if ubo_declaration is no_qualifying_ubo',
          },
        ]
      : []),
    ...(keys > MAX_ADDITIONAL_KEYS
      ? [{ field: 'additional_data', reason: 'too_many', expected: `at most ${MAX_ADDITIONAL_KEYS} fields` }]
      : []),
  ]
}

/**
 * Merges a write into what the relationship has written before (decisions §7). A fault that shows only in the merged
 * data is refused like any other fault of the request.
 */
export const applyWrite = (
  before: KybRecord,
  write: KybWrite,
): Readonly<{ ok: true; value: KybRecord }> | Refusal<'validation_failed'> => {
  const merged = merge(before, write)
  const excesses = excessesOf(merged)
  const named = new Set(excesses.map((excess) => excess['field']))
  const faults = [...excesses, ...contradictionsOf(merged).filter((fault) => !named.has(fault['field']))]
  return faults.length === 0 ? { ok: true, value: merged } : refuse('validation_failed', faults)
}
