import { statement, withDataKey, type Queryable } from '@causeway/chassis'
import { DocumentType, UploadedDocumentType } from '@causeway/contracts'
import { z } from 'zod'

const DocumentRow = z.object({
  document_id: z.string(),
  partner_id: z.string(),
  partner_customer_id: z.string(),
  document_type: UploadedDocumentType,
  file_name_sealed: z.string(),
  mime_type: z.enum(['application/pdf', 'image/png', 'image/jpeg']),
  file_size_bytes: z.number(),
  status: z.enum(['uploaded', 'accepted', 'rejected']),
  rejection_reason: z.string().nullable(),
  uploaded_at: z.date(),
})
export type DocumentRow = z.infer<typeof DocumentRow>
const COLUMNS = `
  d.id AS document_id, d.partner_id, d.partner_customer_id, d.document_type,
  ${withDataKey('d.file_name_sealed', 'd.partner_customer_id')} AS file_name_sealed, d.mime_type,
  d.file_size_bytes, d.status, d.rejection_reason, d.uploaded_at`

/**
 * One page of a relationship's documents, oldest first.
 * $1 partner, $2 relationship, $3 and $4 where the page before ended, $5 limit
 */
export const readPage = statement({
  name: 'documents.read-page',
  text: `
    SELECT ${COLUMNS} FROM documents d
    WHERE d.partner_id = $1 AND d.partner_customer_id = $2 AND (d.uploaded_at, d.id) > ($3::timestamptz, $4)
    ORDER BY d.uploaded_at, d.id LIMIT $5`,
  row: DocumentRow,
})

/** For staff: the same of any relationship. $1 relationship, $2 and $3 where the page before ended, $4 limit */
export const readPageForStaff = statement({
  name: 'documents.read-page-for-staff',
  text: `
    SELECT ${COLUMNS} FROM documents d
    WHERE d.partner_customer_id = $1 AND (d.uploaded_at, d.id) > ($2::timestamptz, $3)
    ORDER BY d.uploaded_at, d.id LIMIT $4`,
  row: DocumentRow,
})

/** For staff: the first documents of each of several relationships, oldest first. $1 relationships, $2 how many of each */
export const readFirst = statement({
  name: 'documents.read-first',
  text: `
    SELECT first.* FROM unnest($1::text[]) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM documents d WHERE d.partner_customer_id = asked.id
      ORDER BY d.uploaded_at, d.id LIMIT $2) AS first
    ORDER BY first.uploaded_at, first.document_id`,
  row: DocumentRow,
})

/** How many documents a relationship has. $1 partner, $2 relationship */
export const count = statement({
  name: 'documents.count',
  text: 'SELECT count(*) AS held FROM documents WHERE partner_id = $1 AND partner_customer_id = $2',
  row: z.object({ held: z.number() }),
})

/** For staff: whether a document is one of a merchant's, whoever uploaded it. $1 merchant, $2 document */
export const readOfMerchant = statement({
  name: 'documents.read-of-merchant',
  text: `
    SELECT ${COLUMNS} FROM documents d JOIN relationships r ON r.id = d.partner_customer_id
    WHERE r.merchant_id = $1 AND d.id = $2`,
  row: DocumentRow,
})

/** Whether a document is this relationship's own. $1 partner, $2 relationship, $3 document */
export const readOwn = statement({
  name: 'documents.read-own',
  text: `
    SELECT ${COLUMNS} FROM documents d
    WHERE d.partner_id = $1 AND d.partner_customer_id = $2 AND d.id = $3`,
  row: DocumentRow,
})

/** A document of a partner whose relationship is active. $1 partner, $2 document */
export const readOfPartner = statement({
  name: 'documents.read-of-partner',
  text: `
    SELECT ${COLUMNS} FROM documents d JOIN relationships r ON r.id = d.partner_customer_id
    WHERE d.partner_id = $1 AND d.id = $2 AND r.status = 'active'`,
  row: DocumentRow,
})

/** What serving a document needs, while its relationship is active. $1 document */
export const readForServing = statement({
  name: 'documents.read-for-serving',
  text: `
    SELECT ${COLUMNS}, d.blob_key,
           ${withDataKey('d.blob_secret_sealed', 'd.partner_customer_id')} AS blob_secret_sealed
    FROM documents d JOIN relationships r ON r.id = d.partner_customer_id
    WHERE d.id = $1 AND r.status = 'active'`,
  row: DocumentRow.extend({ blob_key: z.string(), blob_secret_sealed: z.string() }),
})

/** For staff; held to the end of the transaction. $1 document */
export const hold = statement({
  name: 'documents.hold',
  text: `SELECT ${COLUMNS} FROM documents d WHERE d.id = $1 FOR UPDATE`,
  row: DocumentRow,
})

/** $1 document, $2 status, $3 reason, $4 now */
export const review = statement({
  name: 'documents.review',
  text: `
    UPDATE documents d SET status = $2, rejection_reason = $3, reviewed_at = $4 WHERE d.id = $1
    RETURNING ${COLUMNS}`,
  row: DocumentRow,
})

/**
 * $1 id, $2 partner, $3 relationship, $4 type, $5 sealed file name, $6 media type, $7 size, $8 blob key,
 * $9 sealed blob secret, $10 now
 */
export const insert = statement({
  name: 'documents.insert',
  text: `
    INSERT INTO documents AS d (id, partner_id, partner_customer_id, document_type, file_name_sealed, mime_type,
                                file_size_bytes, status, blob_key, blob_secret_sealed, uploaded_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 'uploaded', $8, $9, $10)
    RETURNING ${COLUMNS}`,
  row: DocumentRow,
})

const readTypes = statement({
  name: 'documents.read-types',
  text: `
    SELECT DISTINCT document_type FROM documents
    WHERE partner_id = $1 AND partner_customer_id = $2 AND document_type <> 'other'`,
  row: z.object({ document_type: DocumentType }),
})

/** The named types of which a relationship has uploaded at least one document, whatever came of it. */
export const typesPresent = async (
  database: Queryable,
  partnerId: string,
  partnerCustomerId: string,
): Promise<Set<DocumentType>> => {
  const rows = await database.query(readTypes, [partnerId, partnerCustomerId])
  return new Set(rows.map((row) => row.document_type))
}

const readTypesOfMany = statement({
  name: 'documents.read-types-of-many',
  text: `
    SELECT DISTINCT partner_customer_id, document_type FROM documents
    WHERE partner_customer_id = ANY($1::text[]) AND document_type <> 'other'`,
  row: z.object({ partner_customer_id: z.string(), document_type: DocumentType }),
})

/** For staff: the same of several relationships. */
export const typesPresentOf = async (
  database: Queryable,
  partnerCustomerIds: readonly string[],
): Promise<(partnerCustomerId: string) => Set<DocumentType>> => {
  const rows = await database.query(readTypesOfMany, [partnerCustomerIds])
  return (id) => new Set(rows.filter((row) => row.partner_customer_id === id).map((row) => row.document_type))
}
