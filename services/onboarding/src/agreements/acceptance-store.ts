import { queryMany, queryOne, withDataKey } from '@causeway/chassis'
import { z } from 'zod'

const RecordedRow = z.object({
  acceptanceId: z.string(),
  agreementId: z.string(),
  agreementVersion: z.string(),
  contentHash: z.string(),
  acceptanceChannel: z.string(),
  acceptedAt: z.date(),
  recordedAt: z.date(),
})
/** An acceptance without its evidence. */
export type RecordedRow = z.infer<typeof RecordedRow>
const RECORDED_COLUMNS = `
  id AS acceptance_id, agreement_id, agreement_version, content_hash, acceptance_channel, accepted_at, recorded_at`

const AcceptanceRow = RecordedRow.extend({ evidenceSealed: z.string() })
export type AcceptanceRow = z.infer<typeof AcceptanceRow>
const EVIDENCE = `${withDataKey('evidence_sealed', 'partner_customer_id')} AS evidence_sealed`

const ListedRow = RecordedRow.extend({
  /** Length of the sealed evidence, in characters. */
  evidenceLength: z.number(),
  /** How many acceptances the relationship has of the agreement. */
  ofAgreement: z.number(),
})
export type ListedRow = z.infer<typeof ListedRow>

/** A relationship's newest acceptances of each of several agreements, newest first, without their evidence. */
export const listNewest = queryMany({
  name: 'acceptances.read-newest',
  parameters: {
    partnerId: 'text',
    partnerCustomerId: 'text',
    agreementIds: 'text[]',
    limitOfEach: 'bigint',
  },
  text: `
    SELECT newest.* FROM unnest(:agreementIds) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT ${RECORDED_COLUMNS}, octet_length(evidence_sealed) AS evidence_length,
             count(*) OVER () AS of_agreement
      FROM acceptances
      WHERE partner_id = :partnerId AND partner_customer_id = :partnerCustomerId AND agreement_id = asked.id
      ORDER BY recorded_at DESC, id DESC LIMIT :limitOfEach) AS newest
    ORDER BY newest.recorded_at DESC, newest.acceptance_id DESC`,
  row: ListedRow,
})

export const listEvidence = queryMany({
  name: 'acceptances.read-evidence',
  parameters: { partnerId: 'text', partnerCustomerId: 'text', acceptanceIds: 'text[]' },
  text: `
    SELECT id AS acceptance_id, ${EVIDENCE}
    FROM acceptances
    WHERE partner_id = :partnerId AND partner_customer_id = :partnerCustomerId AND id = ANY(:acceptanceIds)`,
  row: AcceptanceRow.pick({ acceptanceId: true, evidenceSealed: true }),
})

export const get = queryOne({
  name: 'acceptances.read-one',
  parameters: {
    partnerId: 'text',
    partnerCustomerId: 'text',
    agreementId: 'text',
    agreementVersion: 'text',
  },
  text: `
    SELECT ${RECORDED_COLUMNS}, ${EVIDENCE} FROM acceptances
    WHERE partner_id = :partnerId AND partner_customer_id = :partnerCustomerId
      AND agreement_id = :agreementId AND agreement_version = :agreementVersion`,
  row: AcceptanceRow,
})

export const insert = queryOne({
  name: 'acceptances.insert',
  parameters: {
    acceptanceId: 'text',
    partnerId: 'text',
    partnerCustomerId: 'text',
    agreementId: 'text',
    agreementVersion: 'text',
    contentHash: 'text',
    acceptanceChannel: 'text',
    acceptedAt: 'timestamptz',
    now: 'timestamptz',
    evidenceSealed: 'text',
  },
  text: `
    INSERT INTO acceptances (id, partner_id, partner_customer_id, agreement_id, agreement_version, content_hash,
                             acceptance_channel, accepted_at, recorded_at, evidence_sealed)
    VALUES (:acceptanceId, :partnerId, :partnerCustomerId, :agreementId, :agreementVersion, :contentHash,
            :acceptanceChannel, :acceptedAt, :now, :evidenceSealed)
    RETURNING ${RECORDED_COLUMNS}, ${EVIDENCE}`,
  row: AcceptanceRow,
})
