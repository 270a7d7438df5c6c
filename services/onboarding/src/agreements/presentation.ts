import type { Vault } from '@causeway/chassis'
import type { Acceptance, PublishedAgreement, StaffAgreementVersion } from '@causeway/contracts'
import type { AcceptanceRow, RecordedRow } from './acceptance-store.ts'
import type { StaffVersionRow, VersionRow } from './store.ts'

/** Binds sealed evidence to its acceptance. */
export const evidenceContext = (acceptanceId: string): string => `acceptance-evidence:${acceptanceId}`

export const openEvidence = (
  { acceptanceId, evidenceSealed }: Pick<AcceptanceRow, 'acceptanceId' | 'evidenceSealed'>,
  vault: Vault,
): Acceptance['evidence'] =>
  JSON.parse(vault.open(evidenceSealed, evidenceContext(acceptanceId)).toString()) as Acceptance['evidence']

/** An acceptance as its partner sees it (spec: Agreement and acceptance), its evidence decrypted. */
export const presentAcceptance = (row: AcceptanceRow, vault: Vault): Acceptance => ({
  ...presentWithoutEvidence(row),
  evidence: openEvidence(row, vault),
})

export const presentWithoutEvidence = (row: RecordedRow): Omit<Acceptance, 'evidence'> => ({
  acceptance_id: row.acceptanceId,
  agreement_id: row.agreementId,
  agreement_version: row.agreementVersion,
  content_hash: row.contentHash,
  acceptance_channel: row.acceptanceChannel,
  accepted_at: row.acceptedAt.toISOString(),
  recorded_at: row.recordedAt.toISOString(),
  // Acceptances can be recorded by partners only.
  accepted_via_partner: true,
})

/** A document is named by its hash: a version may be any text, and a hash is safe in a URL. */
export const documentUrl = (publicBaseUrl: string, agreementId: string, contentHash: string): string =>
  `${publicBaseUrl}/agreements/${agreementId}/${contentHash}`

/** A version for staff. One whose time came is retired once another is current, or none. */
export const presentForStaff = (row: StaffVersionRow, publicBaseUrl: string): StaffAgreementVersion => ({
  ...presentVersion(row, publicBaseUrl),
  status: row.isCurrent ? 'in_force' : row.inForce ? 'retired' : 'upcoming',
  published_at: row.publishedAt.toISOString(),
  effective_at: row.effectiveAt?.toISOString() ?? null,
})

/** A published version. */
export const presentVersion = (row: VersionRow, publicBaseUrl: string): PublishedAgreement => ({
  agreement_id: row.agreementId,
  title: row.title,
  version: row.version,
  effective_date: row.effectiveDate,
  document_url: documentUrl(publicBaseUrl, row.agreementId, row.contentHash),
  content_hash: row.contentHash,
  parties: row.parties,
  disclosure: row.disclosure,
})
