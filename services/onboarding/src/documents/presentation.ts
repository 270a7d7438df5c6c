import type { Vault } from '@causeway/chassis'
import type { Document } from '@causeway/contracts'
import type { DocumentRow } from './store.ts'

/** Binds a sealed file name to its document. */
export const fileNameContext = (documentId: string): string => `document-file-name:${documentId}`

/** A document as its partner sees it (spec: Document), its file name decrypted. */
export const presentDocument = (row: DocumentRow, vault: Vault): Document => ({
  document_id: row.documentId,
  document_type: row.documentType,
  file_name: vault.open(row.fileNameSealed, fileNameContext(row.documentId)).toString(),
  mime_type: row.mimeType,
  file_size_bytes: row.fileSizeBytes,
  status: row.status,
  rejection_reason: row.rejectionReason,
  submitted_by_partner_id: row.partnerId,
  uploaded_at: row.uploadedAt.toISOString(),
})
