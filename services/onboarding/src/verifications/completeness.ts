import {
  KybWrite,
  REQUIRED_DOCUMENT_TYPES,
  submissionRuleOf,
  type DocumentType,
  type IncompleteField,
  type KybRecord,
  type SubmissionRule,
} from '@causeway/contracts'
import { z } from 'zod'

type Fields = Readonly<Record<string, unknown>>

const isMissing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

const isFuture = (date: string, now: Date): boolean =>
  date.includes('T') ? Date.parse(date) > now.getTime() : date > now.toISOString().slice(0, 10)

/** Returns the fault of a value at submission, or null. */
const faultOf = (rule: SubmissionRule, value: unknown, record: Fields, now: Date): string | null => {
  if (isMissing(value)) {
    const excused = rule.unless !== undefined && record[rule.unless.field] === rule.unless.is
    if (!rule.required || excused) return null
    return Array.isArray(value) ? 'At least one is required at submission.' : 'Required at submission.'
  }
  if (rule.parses && !rule.parses.safeParse(value).success) return `This is not ${rule.expects ?? 'valid'}.`
  return rule.notInFuture && isFuture(String(value), now) ? 'This date is in the future.' : null
}

/** A field's schema without its optional and nullable wrappers. */
const bare = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? bare(schema.unwrap()) : schema

/** Walks a value along its schema, field by field, into groups and lists of people. */
const faultsIn = (
  schema: unknown,
  value: unknown,
  path: readonly string[],
  record: Fields,
  now: Date,
): IncompleteField[] => {
  const rule = typeof schema === 'object' && schema !== null ? submissionRuleOf(schema) : undefined
  const message = rule === undefined ? null : faultOf(rule, value, record, now)
  if (message !== null) return [{ path: [...path], message }]
  const inner = bare(schema)
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([name, field]) =>
      faultsIn(field, (value as Fields | null)?.[name], [...path, name], record, now),
    )
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.flatMap((entry: unknown, index) =>
      faultsIn(inner.element, entry, [...path, String(index)], record, now),
    )
  return []
}

/** Each missing or unreadable field of a record with its path (decisions §7). */
export const incompleteFields = (record: KybRecord, now: Date): IncompleteField[] =>
  faultsIn(KybWrite, record, [], record, now)

/** The required document types that are not uploaded, in the order of the specification. */
export const missingDocuments = (present: ReadonlySet<DocumentType>): DocumentType[] =>
  REQUIRED_DOCUMENT_TYPES.filter((type) => !present.has(type))

const requiredPaths = (schema: unknown, path: readonly string[]): string[] => {
  const rule = typeof schema === 'object' && schema !== null ? submissionRuleOf(schema) : undefined
  if (rule !== undefined) return rule.required ? [path.join('.')] : []
  const inner = bare(schema)
  if (!(inner instanceof z.ZodObject)) return []
  return Object.entries(inner.shape).flatMap(([name, field]) => requiredPaths(field, [...path, name]))
}

/** Dotted paths of the fields that submission requires, from the same schema. */
export const requiredAtSubmission = (): string[] => requiredPaths(KybWrite, [])

/** Completeness of a submission, and what blocks it. */
export type Completeness = Readonly<{
  submitted: boolean
  blocked_by: 'missing_documents' | 'validation_failed' | null
  missing_documents: DocumentType[]
  incomplete_fields: IncompleteField[]
}>

export const SUBMITTED: Completeness = {
  submitted: true,
  blocked_by: null,
  missing_documents: [],
  incomplete_fields: [],
}

/** Checks a submission; unreadable or missing data blocks it before missing documents (decisions §7). */
export const checkCompleteness = (
  record: KybRecord,
  documents: ReadonlySet<DocumentType>,
  now: Date,
): Completeness => {
  const incomplete = incompleteFields(record, now)
  const missing = missingDocuments(documents)
  if (incomplete.length === 0 && missing.length === 0) return SUBMITTED
  return {
    submitted: false,
    blocked_by: incomplete.length > 0 ? 'validation_failed' : 'missing_documents',
    missing_documents: missing,
    incomplete_fields: incomplete,
  }
}
