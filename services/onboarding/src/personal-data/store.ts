import {
  erasedValues,
  exportedFields,
  queryMany,
  queryNone,
  queryOne,
  withDataKey,
  type ErasedColumn,
  type TableColumns,
  type Transaction,
} from '@causeway/chassis'
import { PersonalRecord, RelationshipStatus } from '@causeway/contracts'
import { z } from 'zod'
import { TABLES } from '../columns.ts'

const RELATIONSHIP = { partnerCustomerId: 'text' } as const

/** Reads the facts for an erasure; the caller locked the merchant's row. */
export const getState = queryOne({
  name: 'personal-data.read-state',
  parameters: RELATIONSHIP,
  text: `
    SELECT r.merchant_id, r.status, r.ended_at, r.erased_at,
           EXISTS (SELECT FROM submissions s JOIN verifications v ON v.id = s.verification_id
                   WHERE s.partner_customer_id = r.id AND v.submitted_at IS NOT NULL) AS was_submitted,
           EXISTS (SELECT FROM relationships o
                   WHERE o.merchant_id = r.merchant_id AND o.id <> r.id AND o.erased_at IS NULL) AS is_shared
    FROM relationships r WHERE r.id = :partnerCustomerId`,
  row: z.object({
    merchantId: z.string(),
    status: RelationshipStatus,
    endedAt: z.date().nullable(),
    erasedAt: z.date().nullable(),
    wasSubmitted: z.boolean(),
    isShared: z.boolean(),
  }),
})

/** Relationships that ended before a time and are not erased, the longest ended first. */
export const listDue = queryMany({
  name: 'personal-data.find-due',
  parameters: { endedBefore: 'timestamptz', limit: 'bigint' },
  text: `
    SELECT id AS partner_customer_id FROM relationships
    WHERE ended_at <= :endedBefore AND erased_at IS NULL ORDER BY ended_at LIMIT :limit`,
  row: z.object({ partnerCustomerId: z.string() }),
})

/** Records the bytes of documents as discarded uploads: the upload purge deletes them even if this process dies. */
export const discardBytes = queryNone({
  name: 'personal-data.discard-bytes',
  parameters: RELATIONSHIP,
  text: `
    INSERT INTO document_uploads (blob_key, partner_id, partner_customer_id, discarding, started_at)
    SELECT blob_key, partner_id, partner_customer_id, true, '-infinity' FROM documents
    WHERE partner_customer_id = :partnerCustomerId`,
})
export const unlinkDocuments = queryNone({
  name: 'personal-data.unlink-documents',
  parameters: RELATIONSHIP,
  text: `
    UPDATE requirements SET document_id = NULL
    WHERE document_id IN (SELECT id FROM documents WHERE partner_customer_id = :partnerCustomerId)`,
})
/** Records that a relationship's personal data is erased. */
export const markErased = queryNone({
  name: 'personal-data.mark-erased',
  parameters: { ...RELATIONSHIP, now: 'timestamptz' },
  text: 'UPDATE relationships SET erased_at = :now WHERE id = :partnerCustomerId',
})

/** Declares the erasure of every table that belongs to a relationship or to a merchant, as `TABLES` classifies it. */
const declareErasures = (owner: 'relationship' | 'merchant') =>
  Object.entries(TABLES).flatMap(([table, columns]) => {
    if (!('belongsTo' in columns) || columns.belongsTo[0] !== owner) return []
    const values = erasedValues(columns)
    const change = values === '' ? `DELETE FROM ${table}` : `UPDATE ${table} SET ${values}`
    return queryNone({
      name: `personal-data.erase-${table}`,
      parameters: { ownerId: 'text' },
      text: `${change} WHERE ${columns.belongsTo[1]} = :ownerId`,
    })
  })
const ERASURES = {
  relationship: declareErasures('relationship'),
  merchant: declareErasures('merchant'),
}

/** Erases the personal columns of every table that belongs to a relationship or to a merchant. */
export const eraseColumns = async (
  tx: Transaction,
  owner: 'relationship' | 'merchant',
  ownerId: string,
): Promise<void> => {
  for (const erase of ERASURES[owner]) await erase(tx, { ownerId })
}

const time = (column: string) => `to_char(t.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Rows that the export reads: of a table, with one of its encrypted columns and all personal ones that are not. */
type Source = Readonly<{
  kind: PersonalRecord['kind']
  table: keyof typeof TABLES
  sealed: string | null
  id: string
  /** SQL: the fields that are not personal. */
  fields: string
  /** SQL: what follows FROM, but the table as `t`. */
  rows: string
}>

const OF_RELATIONSHIP = 'WHERE t.partner_customer_id = :partnerCustomerId'

/** The order of an export, whose cursor names the position in this list. */
const SOURCES: readonly Source[] = [
  {
    kind: 'customer',
    table: 'relationships',
    sealed: 'email_sealed',
    id: 'id',
    fields: `'partner_id', t.partner_id, 'customer_id', t.merchant_id, 'relationship_status', t.status,
      'created_at', ${time('created_at')}, 'ended_at', ${time('ended_at')}, 'erased_at', ${time('erased_at')}`,
    rows: 'WHERE t.id = :partnerCustomerId',
  },
  {
    kind: 'kyb_data',
    table: 'submissions',
    sealed: 'data_sealed',
    id: 'partner_customer_id',
    fields: `'verification_id', coalesce(t.verification_id, t.held_id), 'created_at', ${time('created_at')},
      'updated_at', ${time('updated_at')}`,
    rows: OF_RELATIONSHIP,
  },
  {
    kind: 'document',
    table: 'documents',
    sealed: 'file_name_sealed',
    id: 'id',
    fields: `'document_type', t.document_type, 'mime_type', t.mime_type, 'file_size_bytes', t.file_size_bytes,
      'status', t.status, 'uploaded_at', ${time('uploaded_at')}`,
    rows: OF_RELATIONSHIP,
  },
  {
    kind: 'acceptance',
    table: 'acceptances',
    sealed: 'evidence_sealed',
    id: 'id',
    fields: `'agreement_id', t.agreement_id, 'agreement_version', t.agreement_version,
      'acceptance_channel', t.acceptance_channel, 'accepted_at', ${time('accepted_at')}`,
    rows: OF_RELATIONSHIP,
  },
  // Those of its partner and of the platform: another partner's requirements on the merchant are not included.
  {
    kind: 'requirement',
    table: 'requirements',
    sealed: null,
    id: 'id',
    fields: `'kind', t.kind, 'document_type', t.document_type, 'status', t.status, 'created_at', ${time('created_at')}`,
    rows: `JOIN relationships r ON r.id = :partnerCustomerId AND r.merchant_id = t.merchant_id
      WHERE t.raised_by IS NULL OR t.raised_by = r.partner_id`,
  },
  {
    kind: 'kyb_data',
    table: 'submissions',
    sealed: 'baseline_sealed',
    id: 'partner_customer_id',
    fields: `'as_of', ${time('baseline_at')}`,
    rows: `${OF_RELATIONSHIP} AND t.baseline_sealed IS NOT NULL`,
  },
]

const columnOf = ({ table, sealed }: Source): ErasedColumn | undefined => {
  const { personal = {} }: TableColumns = TABLES[table]
  const column = sealed === null ? undefined : personal[sealed]
  return column !== undefined && 'erasedTo' in column ? column : undefined
}

const selectFrom = (source: Source, index: number): string => {
  const { kind, table, sealed, id, fields, rows } = source
  const withKey =
    sealed === null ? 'NULL' : withDataKey(`t.${sealed}`, `t.${columnOf(source)?.sealed?.subject}`)
  const personal = exportedFields(TABLES[table], 't')
  return `
    SELECT ${index + 1} AS ordinal, '${kind}' AS kind, t.${id} AS id, ${withKey} AS sealed,
           jsonb_build_object(${personal === '' ? '' : `${personal}, `}${fields}) AS plain
    FROM ${table} t ${rows}`
}

const RecordRow = z.object({
  ordinal: z.number(),
  kind: PersonalRecord.shape.kind,
  id: z.string(),
  sealed: z.string().nullable(),
  plain: z.record(z.string(), z.unknown()),
})
export type RecordRow = z.infer<typeof RecordRow>

/** Returns the encrypted column of an exported row. */
export const sealedColumnOf = ({ ordinal }: RecordRow): ErasedColumn | undefined => {
  const source = SOURCES[ordinal - 1]
  return source && columnOf(source)
}

/** One page of all that is stored about a relationship, in one order. */
export const listRecords = queryMany({
  name: 'personal-data.read-records',
  parameters: { ...RELATIONSHIP, ordinal: 'integer', id: 'text', limit: 'bigint' },
  text: `
    SELECT ordinal, kind, id, sealed, plain FROM (${SOURCES.map(selectFrom).join(' UNION ALL ')}) AS records
    WHERE (ordinal, id) > (:ordinal, :id) ORDER BY ordinal, id LIMIT :limit`,
  row: RecordRow,
})
