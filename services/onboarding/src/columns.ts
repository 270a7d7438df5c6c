import {
  blobContext,
  DATA_KEY_SEALING,
  sealedColumns,
  WITH_ITS_ROW,
  type ErasedColumn,
  type KeptColumn,
  type TableColumns,
  type VaultUse,
} from '@causeway/chassis'
import { ErasedData } from '@causeway/contracts'
import { evidenceContext } from './agreements/presentation.ts'
import { emailContext } from './customers/presentation.ts'
import { fileNameContext } from './documents/presentation.ts'
import { kybContext } from './verifications/presentation.ts'

/** `reportedAs`: name of the data in the report of an erasure; null: not reported. */
type Erased = ErasedColumn & Readonly<{ reportedAs: ErasedData | null }>
/** `belongsTo`: whose erasure reaches the table, and the column with its id. */
type ErasedTable = TableColumns &
  Readonly<{
    belongsTo: readonly ['relationship' | 'merchant', string]
    personal: Readonly<Record<string, Erased>>
  }>
type KeptTable = TableColumns &
  Readonly<{ belongsTo?: never; personal?: Readonly<Record<string, KeptColumn>> }>

const subject = 'partner_customer_id'
const kyb = { key: 'partner_customer_id', contextOf: kybContext, subject }
const parse = (plain: string) => JSON.parse(plain) as Record<string, unknown>

/** Every column of this service's tables: the erasure, the export and the rotation of keys derive from it. */
export const TABLES = {
  data_keys: { secret: { key_sealed: DATA_KEY_SEALING }, plain: 'subject created_at' },
  merchants: {
    belongsTo: ['merchant', 'id'],
    personal: {
      // Random: the merchant can no longer be found by its e-mail address.
      email_mac: {
        reportedAs: 'identity',
        erasedTo: 'sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))',
        exportAs: null,
      },
    },
    plain:
      'id suspended created_at verification verification_expires_at disputes_over disputes_version disputes_measure',
  },
  relationships: {
    belongsTo: ['relationship', 'id'],
    personal: {
      email_sealed: {
        reportedAs: 'email',
        erasedTo: `''`,
        exportAs: (email) => ({ email }),
        sealed: { key: 'id', contextOf: emailContext, subject: 'id' },
      },
      external_customer_id: {
        reportedAs: 'external_customer_id',
        erasedTo: `'erased:' || id`,
        exportAs: 'external_customer_id',
      },
      customer_name: { reportedAs: 'names', erasedTo: 'NULL', exportAs: 'name' },
      customer_country: { reportedAs: 'names', erasedTo: 'NULL', exportAs: 'country' },
    },
    plain:
      'id partner_id merchant_id status granted version merchant_created_at created_at agreement_required ' +
      'agreements_revision link_confirmed ended_at erased_at fee_handling settlement_option',
  },
  submissions: {
    belongsTo: ['relationship', 'partner_customer_id'],
    personal: {
      data_sealed: { reportedAs: 'kyb_data', erasedTo: WITH_ITS_ROW, exportAs: parse, sealed: kyb },
      // After the column that it is copied from: a value copied during a rotation of keys is re-encrypted, too.
      baseline_sealed: { reportedAs: 'kyb_data', erasedTo: WITH_ITS_ROW, exportAs: parse, sealed: kyb },
    },
    plain: 'partner_customer_id partner_id verification_id created_at updated_at held_id baseline_at',
  },
  acceptances: {
    belongsTo: ['relationship', 'partner_customer_id'],
    personal: {
      evidence_sealed: {
        reportedAs: 'acceptance_evidence',
        erasedTo: `''`,
        exportAs: (evidence) => ({ evidence: parse(evidence) }),
        sealed: { key: 'id', contextOf: evidenceContext, subject },
      },
    },
    plain:
      'id partner_id partner_customer_id agreement_id agreement_version content_hash acceptance_channel accepted_at ' +
      'recorded_at',
  },
  documents: {
    belongsTo: ['relationship', 'partner_customer_id'],
    personal: {
      file_name_sealed: {
        reportedAs: 'documents',
        erasedTo: WITH_ITS_ROW,
        exportAs: (name) => ({ file_name: name }),
        sealed: { key: 'id', contextOf: fileNameContext, subject },
      },
      rejection_reason: { reportedAs: 'documents', erasedTo: WITH_ITS_ROW, exportAs: 'rejection_reason' },
    },
    secret: { blob_secret_sealed: { key: 'blob_key', contextOf: blobContext, subject } },
    plain:
      'id partner_id partner_customer_id document_type mime_type file_size_bytes status blob_key uploaded_at reviewed_at',
  },
  onboarding_links: {
    belongsTo: ['relationship', 'partner_customer_id'],
    personal: { return_url: { reportedAs: null, erasedTo: WITH_ITS_ROW, exportAs: null } },
    plain: 'id partner_id partner_customer_id token_hash created_at expires_at ended_at',
  },
  // How pages look to anybody: what a partner states about a business, and no record of a person. It goes with the customer.
  brands: {
    belongsTo: ['relationship', 'partner_customer_id'],
    personal: {
      name: { reportedAs: null, erasedTo: WITH_ITS_ROW, exportAs: null },
      support_address: { reportedAs: null, erasedTo: WITH_ITS_ROW, exportAs: null },
      logo: { reportedAs: null, erasedTo: WITH_ITS_ROW, exportAs: null },
    },
    plain: 'partner_id partner_customer_id accent_color logo_hash logo_width logo_height updated_at',
  },
  requirements: {
    belongsTo: ['merchant', 'merchant_id'],
    personal: {
      message: { reportedAs: 'requirement_messages', erasedTo: `''`, exportAs: 'message' },
      target: { reportedAs: 'requirement_messages', erasedTo: 'NULL', exportAs: 'target' },
    },
    plain:
      'id merchant_id raised_by kind document_type status document_id due_at created_at updated_at resolved_at',
  },
  verifications: {
    personal: { rejection_reason: { keptBecause: 'Part of the decision on a case that partners share' } },
    plain: 'id merchant_id status status_since created_at submitted_at reviewed_at expires_at version',
  },
  document_uploads: { plain: 'blob_key partner_id partner_customer_id discarding started_at' },
  agreement_catalogue: { plain: 'only_row revision' },
  agreement_versions: {
    plain:
      'agreement_id version title effective_date parties disclosure content content_type content_hash published_at ' +
      'effective_at in_force',
  },
  agreements: { plain: 'id current_version created_at' },
} as const satisfies Readonly<Record<string, ErasedTable | KeptTable>>

/** Returns the data that an erasure of a relationship or of a merchant reports, in the order of the contract. */
export function reportedData(owner: 'relationship' | 'merchant'): ErasedData[] {
  const tables: readonly (ErasedTable | KeptTable)[] = Object.values(TABLES)
  const reported = tables.flatMap(({ belongsTo, personal }) =>
    belongsTo?.[0] === owner
      ? Object.values<Erased | KeptColumn>(personal ?? {}).map((column) =>
          'reportedAs' in column ? column.reportedAs : null,
        )
      : [],
  )
  return ErasedData.options.filter((name) => reported.includes(name))
}

export const SEALED_COLUMNS = sealedColumns(TABLES)

export const VAULT_USE: VaultUse = {
  columns: SEALED_COLUMNS,
  formerHashPurposes: ['merchant-email', 'cursor', 'document-download'],
}
