import { z } from 'zod'
import { customerParams } from './customers.ts'
import { operation, resource } from '../operation.ts'
import { idOf, NextCursor, pageParameters, text, Timestamp } from '../primitives.ts'

/** Largest evidence file (decisions §6). */
export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024
/** Longest file name that is kept, in characters. */
export const MAX_FILE_NAME_LENGTH = 255
/** Most documents of one relationship (decisions §18). */
export const MAX_DOCUMENTS = 500

/** The five named document types, all required at submission (spec: Document). */
export const REQUIRED_DOCUMENT_TYPES = [
  'certificate_of_incorporation',
  'proof_of_address',
  'director_id',
  'bank_statement',
  'processing_statement',
] as const
export const DocumentType = z.enum(REQUIRED_DOCUMENT_TYPES)
export type DocumentType = z.infer<typeof DocumentType>
/** Document types that an upload may declare. */
export const UploadedDocumentType = z.enum([...REQUIRED_DOCUMENT_TYPES, 'other'])
export type UploadedDocumentType = z.infer<typeof UploadedDocumentType>
/** Content types that an upload may have, detected from its bytes. */
export const DocumentMimeType = z.enum(['application/pdf', 'image/png', 'image/jpeg'])
export type DocumentMimeType = z.infer<typeof DocumentMimeType>

/** Status of a document: `uploaded` until staff review it. */
export const DocumentStatus = z.enum(['uploaded', 'accepted', 'rejected'])
export type DocumentStatus = z.infer<typeof DocumentStatus>

/** A document as its partner sees it; where its bytes are stored is not shown. */
export const Document = z.object({
  document_id: idOf('document'),
  document_type: UploadedDocumentType,
  file_name: z.string(),
  mime_type: DocumentMimeType,
  file_size_bytes: z.number().int().positive(),
  status: DocumentStatus,
  rejection_reason: z.string().nullable(),
  submitted_by_partner_id: idOf('partner'),
  uploaded_at: Timestamp,
})
export type Document = z.infer<typeof Document>

/** An upload as JSON; as multipart/form-data the same is `document_type` and one part `file` (decisions §6). */
export const DocumentUpload = z.strictObject({
  document_type: UploadedDocumentType,
  file_name: text(4_096),
  content_base64: z.string().meta({ description: 'The file in base64 (RFC 4648 §4), at most 10 MiB of it' }),
})

/**
 * Where the bytes are stored, and the key of these bytes alone (32 bytes in base64url); never sent outside the
 * platform. Onboarding stores the key sealed, so no key that decrypts several documents is shared.
 */
const blob = { blob_key: z.string().min(1).max(64), blob_secret: z.string().regex(/^[\w-]{43}$/) }

const single = z.object({ document: Document })
const download = z.object({ document: Document, download_url: z.string(), expires_at: Timestamp })
export const DocumentList = z.object({ documents: z.array(Document), next_cursor: NextCursor })

/**
 * `onboarding.documents` (spec: Documents; decisions §6 and §14). Bytes never travel on the bus: the gateway calls
 * `createUpload`, stores them, and then calls `create`; or `deleteUpload` when the upload fails.
 */
export const documents = resource('onboarding.documents', {
  createUpload: operation({
    summary: 'Begin an upload, if the case takes documents: the reply says where its bytes go',
    params: customerParams,
    reply: z.object({ blob_key: blob.blob_key }),
    refusals: ['resource_not_found', 'invalid_state', 'limit_reached'],
  }),
  create: operation({
    operationId: 'uploadDocument',
    summary: 'Upload one evidence file',
    description:
      'Use it for the evidence that `missing_documents` and requirements ask for. Send a form (`multipart/form-data`, preferred: the file is streamed) or JSON with the file in base64. The type is told by the content, not by the name.',
    params: customerParams,
    body: z.strictObject({
      document_type: UploadedDocumentType,
      file_name: z.string().min(1).max(MAX_FILE_NAME_LENGTH),
      mime_type: DocumentMimeType,
      file_size_bytes: z.number().int().min(1).max(MAX_DOCUMENT_BYTES),
      ...blob,
    }),
    reply: single,
    refusals: ['resource_not_found', 'invalid_state', 'limit_reached'],
  }),
  deleteUpload: operation({
    summary: 'Discard an upload: its bytes are deleted',
    params: customerParams,
    body: z.strictObject({ blob_key: blob.blob_key }),
    reply: z.object({}),
  }),
  list: operation({
    operationId: 'listDocuments',
    summary: 'List the documents that the partner has uploaded for a customer, oldest first',
    description: 'Use it to see which documents are there, and what the review said about each.',
    params: customerParams,
    query: z.object(pageParameters),
    reply: DocumentList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  listByStaff: operation({
    operationId: 'listCustomerDocuments',
    summary: 'List the documents of a customer, oldest first',
    description: 'Use it where the list of a case is cut off, or to look at one relationship alone.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    query: z.object(pageParameters),
    reply: DocumentList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  createDownload: operation({
    operationId: 'getDocumentDownload',
    summary: 'Get a short-lived URL of the bytes of a document',
    description:
      'Use it to show a document that you have uploaded: `download_url` needs no credential and lives for five minutes: do not store it.',
    params: z.object({ documentId: idOf('document') }),
    reply: download,
    refusals: ['resource_not_found'],
  }),
  createDownloadByStaff: operation({
    operationId: 'getCustomerDocumentDownload',
    summary: 'Get a short-lived URL of the bytes of a document of any partner',
    description:
      'Use it to look at a document while reviewing a case: `download_url` needs no credential and lives for five minutes.',
    caller: 'operator',
    params: z.object({ documentId: idOf('document') }),
    reply: download,
    refusals: ['resource_not_found'],
  }),
  getDownload: operation({
    operationId: 'downloadDocument',
    summary: 'The bytes of a document, as download_url names it',
    description:
      'Follow `download_url` before it expires. It is served as an attachment, never cached, and names no storage location.',
    caller: 'public',
    params: z.object({ token: z.string().max(200) }),
    reply: Document.pick({ file_name: true, mime_type: true, file_size_bytes: true }).extend(blob),
    refusals: ['resource_not_found'],
  }),
  review: operation({
    operationId: 'reviewDocument',
    summary: 'Accept or reject a document',
    description:
      'Use it for each document of a case. A rejected one has to be uploaded again; the partner is told by `document.reviewed`.',
    caller: 'operator',
    params: z.object({ documentId: idOf('document') }),
    body: z
      .strictObject({ status: DocumentStatus.exclude(['uploaded']), rejection_reason: text(500).nullish() })
      .refine(({ status, rejection_reason: reason }) => status === 'rejected' || reason == null, {
        path: ['rejection_reason'],
        params: { reason: 'invalid_value', expected: 'no reason where the status is accepted' },
      }),
    reply: single,
    refusals: ['resource_not_found'],
  }),
})
