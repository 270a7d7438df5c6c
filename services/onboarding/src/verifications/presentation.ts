import type { Vault } from '@causeway/chassis'
import type { KybRecord, KybWrite, ListedCase, ReviewedCase, Verification } from '@causeway/contracts'
import { recordFrom } from './kyb-record.ts'
import { disclosedReason, editedAtOf } from './case.ts'
import type { CaseRow, ListedRow } from './store.ts'
import type { OwnRow } from './submission-store.ts'

/** Binds sealed KYB data to its relationship, so that it cannot be moved to another one. */
export const kybContext = (partnerCustomerId: string): string => `relationship-kyb:${partnerCustomerId}`

export const sealRecord = (
  record: KybRecord,
  partnerCustomerId: string,
  sealer: Pick<Vault, 'seal'>,
): string => sealer.seal(JSON.stringify(record), kybContext(partnerCustomerId))

export const openRecord = (
  row: Readonly<{ partnerCustomerId: string; dataSealed: string }>,
  vault: Vault,
): KybRecord =>
  recordFrom(JSON.parse(vault.open(row.dataSealed, kybContext(row.partnerCustomerId)).toString()) as KybWrite)

type SharedState = Pick<
  CaseRow,
  'verificationId' | 'status' | 'rejectionReason' | 'submittedAt' | 'reviewedAt' | 'expiresAt'
>

/** The part of a case that all its parties share, as staff read it. */
export const presentShared = (row: SharedState) => ({
  verification_id: row.verificationId,
  status: row.status,
  rejection_reason: row.rejectionReason,
  submitted_at: row.submittedAt?.toISOString() ?? null,
  reviewed_at: row.reviewedAt?.toISOString() ?? null,
  expires_at: row.expiresAt?.toISOString() ?? null,
})

/** A case as one relationship sees it: the shared state and its own record (decisions §7). */
export const presentVerification = (row: Omit<OwnRow, 'dataSealed'>, record: KybRecord): Verification => ({
  ...presentShared(row),
  rejection_reason: disclosedReason(row.rejectionReason),
  partner_customer_id: row.partnerCustomerId,
  ...record,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt?.toISOString() ?? null,
})

/** A case as staff see it. */
export const presentCase = (row: CaseRow): ReviewedCase => ({
  ...presentShared(row),
  version: row.version,
  edited_at: editedAtOf(row)?.toISOString() ?? null,
  customer_id: row.merchantId,
  created_at: row.createdAt.toISOString(),
})

/** A case as staff see it in the queue. */
export const presentListed = (row: ListedRow): ListedCase => ({
  ...presentCase(row),
  customer_name: row.customerName,
})
