import { blobContext, type VaultUse, type SealedColumn } from '@causeway/chassis'
import { evidenceContext } from './operations/present-agreement.ts'
import { emailContext } from './operations/present-customer.ts'
import { fileNameContext } from './operations/present-document.ts'
import { kybContext } from './operations/present-verification.ts'

/** Every column of sealed values that this service has. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'relationships', key: 'id', column: 'email_sealed', contextOf: emailContext },
  { table: 'submissions', key: 'partner_customer_id', column: 'data_sealed', contextOf: kybContext },
  { table: 'acceptances', key: 'id', column: 'evidence_sealed', contextOf: evidenceContext },
  { table: 'documents', key: 'id', column: 'file_name_sealed', contextOf: fileNameContext },
  { table: 'documents', key: 'blob_key', column: 'blob_secret_sealed', contextOf: blobContext },
]

export const VAULT_USE: VaultUse = {
  columns: SEALED_COLUMNS,
  formerHashPurposes: ['merchant-email', 'cursor', 'document-download'],
}
