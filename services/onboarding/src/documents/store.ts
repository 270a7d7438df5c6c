import { queryMany, queryOne, withDataKey } from '@causeway/chassis'
import { DocumentMimeType, DocumentStatus, UploadedDocumentType } from '@causeway/contracts'
import { z } from 'zod'

const DocumentRow = z.object({
  documentId: z.string(),
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  documentType: UploadedDocumentType,
  fileNameSealed: z.string(),
  mimeType: DocumentMimeType,
  fileSizeBytes: z.number(),
  status: DocumentStatus,
  rejectionReason: z.string().nullable(),
  uploadedAt: z.date(),
})
export type DocumentRow = z.infer<typeof DocumentRow>
const COLUMNS = `
  d.id AS document_id, d.partner_id, d.partner_customer_id, d.document_type,
  ${withDataKey('d.file_name_sealed', 'd.partner_customer_id')} AS file_name_sealed, d.mime_type,
  d.file_size_bytes, d.status, d.rejection_reason, d.uploaded_at`

/** One page of a relationship's documents, oldest first. */
export const listPage = queryMany({
  name: 'documents.read-page',
  parameters: {
    partnerId: 'text',
    partnerCustomerId: 'text',
    at: 'timestamptz',
    id: 'text',
    limit: 'bigint',
  },
  text: `
    SELECT ${COLUMNS} FROM documents d
    WHERE d.partner_id = :partnerId AND d.partner_customer_id = :partnerCustomerId
      AND (d.uploaded_at, d.id) > (:at, :id)
    ORDER BY d.uploaded_at, d.id LIMIT :limit`,
  row: DocumentRow,
})

/** For staff: one page of any relationship's documents, oldest first. */
export const listPageByStaff = queryMany({
  name: 'documents.read-page-for-staff',
  parameters: { partnerCustomerId: 'text', at: 'timestamptz', id: 'text', limit: 'bigint' },
  text: `
    SELECT ${COLUMNS} FROM documents d
    WHERE d.partner_customer_id = :partnerCustomerId AND (d.uploaded_at, d.id) > (:at, :id)
    ORDER BY d.uploaded_at, d.id LIMIT :limit`,
  row: DocumentRow,
})

/** For staff: the first documents of each of several relationships, oldest first. */
export const listFirst = queryMany({
  name: 'documents.read-first',
  parameters: { partnerCustomerIds: 'text[]', limitOfEach: 'bigint' },
  text: `
    SELECT first.* FROM unnest(:partnerCustomerIds) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM documents d WHERE d.partner_customer_id = asked.id
      ORDER BY d.uploaded_at, d.id LIMIT :limitOfEach) AS first
    ORDER BY first.uploaded_at, first.document_id`,
  row: DocumentRow,
})

/** How many documents a relationship has. */
export const count = queryOne({
  name: 'documents.count',
  parameters: { partnerId: 'text', partnerCustomerId: 'text' },
  text: `
    SELECT count(*) AS total FROM documents
    WHERE partner_id = :partnerId AND partner_customer_id = :partnerCustomerId`,
  row: z.object({ total: z.number() }),
})

/** A document of the partner whose relationship is active. */
export const get = queryOne({
  name: 'documents.read-of-partner',
  parameters: { partnerId: 'text', documentId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM documents d JOIN relationships r ON r.id = d.partner_customer_id
    WHERE d.partner_id = :partnerId AND d.id = :documentId AND r.status = 'active'`,
  row: DocumentRow,
})

/** Reads the columns for serving a document while its relationship is active. */
export const getForServing = queryOne({
  name: 'documents.read-for-serving',
  parameters: { documentId: 'text' },
  text: `
    SELECT ${COLUMNS}, d.blob_key,
           ${withDataKey('d.blob_secret_sealed', 'd.partner_customer_id')} AS blob_secret_sealed
    FROM documents d JOIN relationships r ON r.id = d.partner_customer_id
    WHERE d.id = :documentId AND r.status = 'active'`,
  row: DocumentRow.extend({ blobKey: z.string(), blobSecretSealed: z.string() }),
})

/** For staff. */
export const lock = queryOne({
  name: 'documents.hold',
  parameters: { documentId: 'text' },
  text: `SELECT ${COLUMNS} FROM documents d WHERE d.id = :documentId FOR UPDATE`,
  row: DocumentRow,
})

export const updateReview = queryOne({
  name: 'documents.review',
  parameters: { documentId: 'text', status: 'text', rejectionReason: 'text?', now: 'timestamptz' },
  text: `
    UPDATE documents d SET status = :status, rejection_reason = :rejectionReason, reviewed_at = :now
    WHERE d.id = :documentId
    RETURNING ${COLUMNS}`,
  row: DocumentRow,
})

export const insert = queryOne({
  name: 'documents.insert',
  parameters: {
    documentId: 'text',
    partnerId: 'text',
    partnerCustomerId: 'text',
    documentType: 'text',
    fileNameSealed: 'text',
    mimeType: 'text',
    fileSizeBytes: 'integer',
    blobKey: 'text',
    blobSecretSealed: 'text',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO documents AS d (id, partner_id, partner_customer_id, document_type, file_name_sealed, mime_type,
                                file_size_bytes, status, blob_key, blob_secret_sealed, uploaded_at)
    VALUES (:documentId, :partnerId, :partnerCustomerId, :documentType, :fileNameSealed, :mimeType,
            :fileSizeBytes, 'uploaded', :blobKey, :blobSecretSealed, :now)
    RETURNING ${COLUMNS}`,
  row: DocumentRow,
})
