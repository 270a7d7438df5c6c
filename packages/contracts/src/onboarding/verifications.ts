import { z } from 'zod'
import { customerParams } from './customers.ts'
import { DocumentType } from './documents.ts'
import { KybRecord, KybWrite } from './kyb.ts'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'

export const VerificationStatus = z.enum(['draft', 'pending', 'approved', 'rejected'])
export type VerificationStatus = z.infer<typeof VerificationStatus>

/** Why staff reject a case (decisions §7). */
export const VerificationRejectionReason = z.enum([
  'document_illegible',
  'document_expired',
  'information_mismatch',
  'business_not_supported',
  'ownership_unclear',
  'sanctions_match',
  'duplicate_case',
  'other',
])
export type VerificationRejectionReason = z.infer<typeof VerificationRejectionReason>

/** The part of a case that all its parties share: it belongs to the merchant, not to a relationship. */
export const sharedState = {
  verification_id: idOf('verification'),
  status: VerificationStatus,
  rejection_reason: VerificationRejectionReason.nullable(),
  submitted_at: Timestamp.nullable(),
  reviewed_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
}

/** A case as one relationship sees it: the shared state, and its own data alone (decisions §7). */
export const Verification = z.object({
  ...sharedState,
  partner_customer_id: idOf('relationship'),
  ...KybRecord.shape,
  created_at: Timestamp,
  updated_at: Timestamp.nullable(),
})
export type Verification = z.infer<typeof Verification>

/** A required field that is missing, or one that does not parse. */
export const IncompleteField = z.object({ path: z.array(z.string()), message: z.string() })
export type IncompleteField = z.infer<typeof IncompleteField>

const single = z.object({ verification: Verification })

/** `onboarding.verifications` (spec: Verifications and KYB field rules; decisions §7). */
export const verifications = resource('onboarding.verifications', {
  submit: operation({
    summary: 'Write any subset of the KYB data and attempt submission',
    params: customerParams,
    body: KybWrite.optional(),
    badBody: 'validation_failed',
    reply: single.extend({
      submitted: z.boolean(),
      blocked_by: z.enum(['missing_documents', 'validation_failed']).nullable(),
      missing_documents: z.array(DocumentType),
      incomplete_fields: z.array(IncompleteField),
    }),
    refusals: ['validation_failed', 'resource_not_found', 'invalid_state'],
  }),
  getByCustomer: operation({
    summary: 'Read the verification of a customer with the data that this partner wrote',
    params: customerParams,
    reply: single,
    refusals: ['resource_not_found'],
  }),
  get: operation({
    summary: 'Read a verification with the data that this partner wrote',
    params: z.object({ verificationId: idOf('verification') }),
    reply: single,
    refusals: ['resource_not_found'],
  }),
  getSchema: operation({
    summary: 'The JSON Schema of a verification write, and what submission asks for',
    reply: z.object({
      /** JSON Schema 2020-12. */
      schema: z.record(z.string(), z.unknown()),
      /** Dotted paths. */
      required_at_submission: z.array(z.string()),
      document_types: z.array(DocumentType),
    }),
  }),
})
