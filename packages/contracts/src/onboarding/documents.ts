import { z } from 'zod'
import { customerParams } from './customers.ts'
import { get, post } from '../http/methods.ts'
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
  content_base64: z
    .string()
    .meta({ description: 'The file in base64 (RFC 4648 §4), at most 10 MiB decoded' }),
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
    summary: 'Begin an upload, if the case accepts documents; the reply names the storage location',
    params: customerParams,
    reply: z.object({ blob_key: blob.blob_key }),
    refusals: ['resource_not_found', 'invalid_state', 'limit_reached'],
  }),
  list: operation({
    operationId: 'listDocuments',
    http: get('/customers/:customerId/documents', { scopes: ['documents:read'] }),
    tag: 'Verification',
    summary: 'List the documents that the partner has uploaded for a customer, oldest first',
    description: 'Use it to see the uploaded documents and their review results.',
    params: customerParams,
    query: z.object(pageParameters),
    reply: DocumentList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  create: operation({
    operationId: 'uploadDocument',
    http: post('/customers/:customerId/documents', {
      scopes: ['documents:write'],
      status: 201,
      upload: true,
    }),
    tag: 'Verification',
    summary: 'Upload a document',
    description:
      'Use it for the evidence that `missing_documents` and requirements name. Send a form (`multipart/form-data`, preferred: it is streamed), or JSON with the file in base64. The content determines the type, not the file name.',
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
    summary: 'Discard an upload and delete its bytes',
    params: customerParams,
    body: z.strictObject({ blob_key: blob.blob_key }),
    reply: z.object({}),
  }),
  listByStaff: operation({
    operationId: 'listCustomerDocuments',
    http: get('/customers/:partnerCustomerId/documents'),
    role: 'viewer',
    tag: 'Cases',
    summary: 'List the documents of a customer, oldest first',
    description: 'Use it when a case’s list is truncated, or for a single relationship.',
    caller: 'operator',
    params: z.object({ partnerCustomerId: idOf('relationship') }),
    query: z.object(pageParameters),
    reply: DocumentList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  createDownload: operation({
    operationId: 'getDocumentDownload',
    http: get('/documents/:documentId/download', { scopes: ['documents:read', 'kyb:read'] }),
    tag: 'Verification',
    summary: 'Get a short-lived download URL of a document',
    description:
      'Use it to show a document that you uploaded. `download_url` needs no credential and expires after five minutes. Do not store it.',
    params: z.object({ documentId: idOf('document') }),
    reply: download,
    refusals: ['resource_not_found'],
  }),
  createDownloadByStaff: operation({
    operationId: 'getCustomerDocumentDownload',
    http: get('/documents/:documentId/download'),
    role: 'viewer',
    tag: 'Cases',
    summary: 'Get a short-lived download URL of any partner’s document',
    description:
      'Use it to review a document. `download_url` needs no credential and expires after five minutes.',
    caller: 'operator',
    params: z.object({ documentId: idOf('document') }),
    reply: download,
    refusals: ['resource_not_found'],
  }),
  getDownload: operation({
    operationId: 'downloadDocument',
    summary: 'Download a document by its download_url',
    description:
      'Use it before `download_url` expires. The response is an attachment, is never cached, and reveals no storage location.',
    caller: 'public',
    params: z.object({ token: z.string().max(200) }),
    reply: Document.pick({ file_name: true, mime_type: true, file_size_bytes: true }).extend(blob),
    refusals: ['resource_not_found'],
  }),
  review: operation({
    operationId: 'reviewDocument',
    http: post('/documents/:documentId/review'),
    role: 'reviewer',
    tag: 'Cases',
    summary: 'Accept or reject a document',
    description:
      'Use it for each document of a case. A rejected document must be uploaded again. `document.reviewed` notifies the partner.',
    caller: 'operator',
    params: z.object({ documentId: idOf('document') }),
    body: z
      .strictObject({ status: DocumentStatus.exclude(['uploaded']), rejection_reason: text(500).nullish() })
      .refine(({ status, rejection_reason: reason }) => status === 'rejected' || reason == null, {
        path: ['rejection_reason'],
        params: { reason: 'invalid_value', expected: 'no reason if status is accepted' },
      }),
    reply: single,
    refusals: ['resource_not_found'],
  }),
})
