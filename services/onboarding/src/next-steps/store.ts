import { queryMany, queryOne, withDataKey } from '@causeway/chassis'
import {
  CapabilityName,
  DisputeMeasure,
  DocumentType,
  RelationshipStatus,
  VerificationRejectionReason,
  VerificationStatus,
} from '@causeway/contracts'
import { z } from 'zod'
import { MerchantVerification } from '../merchants/domain.ts'
import { outstandingOf } from '../requirements/store.ts'

const RELATIONSHIP = { partnerId: 'text', partnerCustomerId: 'text' } as const

/**
 * Reads the facts of a relationship in any status, of its merchant and of its submission. The merchant's case is left out while
 * the link is unconfirmed.
 */
export const getFacts = queryOne({
  name: 'next-steps.read-facts',
  parameters: RELATIONSHIP,
  text: `
    SELECT r.status, r.granted, r.link_confirmed, r.customer_name IS NOT NULL AS was_complete, m.suspended,
           m.verification, m.disputes_over AS disputes_above_threshold, m.disputes_measure AS dispute_measure,
           v.status AS case_status, v.rejection_reason, (${outstandingOf('r.merchant_id')}) AS outstanding,
           ${withDataKey('s.data_sealed', 's.partner_customer_id')} AS data_sealed,
           ARRAY(SELECT DISTINCT d.document_type FROM documents d
                 WHERE d.partner_id = :partnerId AND d.partner_customer_id = r.id AND d.document_type <> 'other')
             AS document_types
    FROM relationships r JOIN merchants m ON m.id = r.merchant_id
    LEFT JOIN verifications v ON v.merchant_id = r.merchant_id AND r.link_confirmed
    LEFT JOIN submissions s ON s.partner_customer_id = r.id AND s.partner_id = :partnerId
    WHERE r.id = :partnerCustomerId AND r.partner_id = :partnerId`,
  row: z.object({
    status: RelationshipStatus,
    granted: z.array(CapabilityName),
    linkConfirmed: z.boolean(),
    wasComplete: z.boolean(),
    suspended: z.array(CapabilityName),
    verification: MerchantVerification,
    disputesAboveThreshold: z.boolean(),
    disputeMeasure: DisputeMeasure.nullable(),
    caseStatus: VerificationStatus.nullable(),
    rejectionReason: VerificationRejectionReason.nullable(),
    outstanding: z.number(),
    dataSealed: z.string().nullable(),
    documentTypes: z.array(DocumentType),
  }),
})

/** The current versions that a relationship has not accepted, in the order in which the agreements were published. */
export const listUnaccepted = queryMany({
  name: 'next-steps.read-unaccepted',
  parameters: { ...RELATIONSHIP, limit: 'bigint' },
  text: `
    SELECT v.agreement_id, v.version AS agreement_version, v.content_hash
    FROM agreements a JOIN agreement_versions v ON v.agreement_id = a.id AND v.version = a.current_version
    WHERE NOT EXISTS (
      SELECT FROM acceptances x
      WHERE x.partner_id = :partnerId AND x.partner_customer_id = :partnerCustomerId
        AND x.agreement_id = a.id AND x.agreement_version = a.current_version)
    ORDER BY a.created_at, a.id LIMIT :limit`,
  row: z.object({ agreementId: z.string(), agreementVersion: z.string(), contentHash: z.string() }),
})
