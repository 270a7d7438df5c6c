import type { Vault } from '@causeway/chassis'
import type { KybRecord, KybWrite, ReviewedCase, Verification } from '@causeway/contracts'
import { recordFrom } from './kyb-record.ts'
import type { OwnRow } from './submission-store.ts'
import type { CaseRow } from './store.ts'

/** What sealed KYB data is bound to, so that it cannot be moved to another relationship. */
export const kybContext = (partnerCustomerId: string): string => `relationship-kyb:${partnerCustomerId}`

export const sealRecord = (
  record: KybRecord,
  partnerCustomerId: string,
  sealer: Pick<Vault, 'seal'>,
): string => sealer.seal(JSON.stringify(record), kybContext(partnerCustomerId))

export const openRecord = (
  row: Readonly<{ partner_customer_id: string; data_sealed: string }>,
  vault: Vault,
): KybRecord =>
  recordFrom(
    JSON.parse(vault.open(row.data_sealed, kybContext(row.partner_customer_id)).toString()) as KybWrite,
  )

type SharedState = Pick<
  CaseRow,
  'verification_id' | 'status' | 'rejection_reason' | 'submitted_at' | 'reviewed_at' | 'expires_at'
>

const presentShared = (row: SharedState) => ({
  verification_id: row.verification_id,
  status: row.status,
  rejection_reason: row.rejection_reason,
  submitted_at: row.submitted_at?.toISOString() ?? null,
  reviewed_at: row.reviewed_at?.toISOString() ?? null,
  expires_at: row.expires_at?.toISOString() ?? null,
})

/** A case as one relationship sees it: the shared state and its own record (decisions §7). */
export const presentVerification = (row: Omit<OwnRow, 'data_sealed'>, record: KybRecord): Verification => ({
  ...presentShared(row),
  partner_customer_id: row.partner_customer_id,
  ...record,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at?.toISOString() ?? null,
})

/** A case as staff see it in the queue. */
export const presentCase = (row: CaseRow): ReviewedCase => ({
  ...presentShared(row),
  customer_id: row.customer_id,
  created_at: row.created_at.toISOString(),
})
