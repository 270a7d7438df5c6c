import type { Vault } from '@causeway/chassis'
import type { Acceptance, PublishedAgreement } from '@causeway/contracts'
import type { AcceptanceRow, RecordedRow } from './acceptance-store.ts'
import type { VersionRow } from './store.ts'

/** What sealed evidence is bound to. */
export const evidenceContext = (acceptanceId: string): string => `acceptance-evidence:${acceptanceId}`

export const openEvidence = (
  { acceptance_id, evidence_sealed }: Pick<AcceptanceRow, 'acceptance_id' | 'evidence_sealed'>,
  vault: Vault,
): Acceptance['evidence'] =>
  JSON.parse(vault.open(evidence_sealed, evidenceContext(acceptance_id)).toString()) as Acceptance['evidence']

/** An acceptance as its partner sees it (spec: Agreement and acceptance), its evidence opened. */
export const presentAcceptance = (row: AcceptanceRow, vault: Vault): Acceptance => ({
  ...presentRecorded(row),
  evidence: openEvidence(row, vault),
})

/** The same without its evidence. */
export const presentRecorded = (
  row: Omit<RecordedRow, 'evidence_length' | 'of_agreement'>,
): Omit<Acceptance, 'evidence'> => ({
  acceptance_id: row.acceptance_id,
  agreement_id: row.agreement_id,
  agreement_version: row.agreement_version,
  content_hash: row.content_hash,
  acceptance_channel: row.acceptance_channel,
  accepted_at: row.accepted_at.toISOString(),
  recorded_at: row.recorded_at.toISOString(),
  // Every acceptance comes through a partner: there is no other way in.
  accepted_via_partner: true,
})

/** A published version. Its document is named by its hash: a version may be any text, and a hash is safe in a URL. */
export const presentVersion = (row: VersionRow, publicBaseUrl: string): PublishedAgreement => ({
  agreement_id: row.agreement_id,
  title: row.title,
  version: row.version,
  effective_date: row.effective_date,
  document_url: `${publicBaseUrl}/agreements/${row.agreement_id}/${row.content_hash}`,
  content_hash: row.content_hash,
  parties: row.parties,
  disclosure: row.disclosure,
})
