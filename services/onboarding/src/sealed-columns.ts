import { blobContext, DATA_KEYS, type VaultUse, type SealedColumn } from '@causeway/chassis'
import { evidenceContext } from './agreements/presentation.ts'
import { emailContext } from './customers/presentation.ts'
import { fileNameContext } from './documents/presentation.ts'
import { kybContext } from './verifications/presentation.ts'

const subject = 'partner_customer_id'

/** Every column of sealed values that this service has. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  DATA_KEYS,
  { table: 'relationships', key: 'id', column: 'email_sealed', contextOf: emailContext, subject: 'id' },
  { table: 'submissions', key: 'partner_customer_id', column: 'data_sealed', contextOf: kybContext, subject },
  // After the column that it is copied from: what is copied while the keys rotate is re-encrypted, too.
  {
    table: 'submissions',
    key: 'partner_customer_id',
    column: 'baseline_sealed',
    contextOf: kybContext,
    subject,
  },
  { table: 'acceptances', key: 'id', column: 'evidence_sealed', contextOf: evidenceContext, subject },
  { table: 'documents', key: 'id', column: 'file_name_sealed', contextOf: fileNameContext, subject },
  { table: 'documents', key: 'blob_key', column: 'blob_secret_sealed', contextOf: blobContext, subject },
]

export const VAULT_USE: VaultUse = {
  columns: SEALED_COLUMNS,
  formerHashPurposes: ['merchant-email', 'cursor', 'document-download'],
}
