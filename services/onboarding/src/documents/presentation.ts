import type { Vault } from '@causeway/chassis'
import type { Document } from '@causeway/contracts'
import type { DocumentRow } from './store.ts'

/** What a sealed file name is bound to. */
export const fileNameContext = (documentId: string): string => `document-file-name:${documentId}`

/** Evidence as its partner sees it (spec: Document), its file name opened. */
export const presentDocument = (row: DocumentRow, vault: Vault): Document => ({
  document_id: row.document_id,
  document_type: row.document_type,
  file_name: vault.open(row.file_name_sealed, fileNameContext(row.document_id)).toString(),
  mime_type: row.mime_type,
  file_size_bytes: row.file_size_bytes,
  status: row.status,
  rejection_reason: row.rejection_reason,
  submitted_by_partner_id: row.partner_id,
  uploaded_at: row.uploaded_at.toISOString(),
})
