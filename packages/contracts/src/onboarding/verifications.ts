import { z } from 'zod'
import { customerParams } from './customers.ts'
import { DocumentType } from './documents.ts'
import { KybRecord, KybWrite } from './kyb.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp, TimestampInput } from '../primitives.ts'

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

/** Reasons that partners and merchants read: they read null instead of a sanctions match (decisions §7). */
export type DisclosedRejectionReason = Exclude<VerificationRejectionReason, 'sanctions_match'>

/** The part of a case that all its parties share, as staff read it: it belongs to the merchant, not to a relationship. */
export const sharedState = {
  verification_id: idOf('verification'),
  status: VerificationStatus,
  rejection_reason: VerificationRejectionReason.nullable(),
  submitted_at: Timestamp.nullable(),
  reviewed_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
}

/** A case as one relationship sees it: the shared state, and only its own data (decisions §7). */
export const Verification = z.object({
  ...sharedState,
  partner_customer_id: idOf('relationship'),
  ...KybRecord.shape,
  created_at: Timestamp,
  updated_at: Timestamp.nullable(),
})
export type Verification = z.infer<typeof Verification>

/**
 * Returns the time of the last change of a case as one relationship sees it, for `unmodified_since`. Before the first
 * write it is the start of 1970, which is before every write.
 */
export const lastModified = (
  seen: Pick<Verification, 'created_at' | 'updated_at' | 'submitted_at' | 'reviewed_at'> | null,
): string =>
  seen === null
    ? new Date(0).toISOString()
    : [seen.created_at, seen.updated_at, seen.submitted_at, seen.reviewed_at].reduce<string>(
        (latest, at) => (at !== null && at > latest ? at : latest),
        '',
      )

/** Why a submission did not go to review. */
export const SubmissionBlock = z.enum(['missing_documents', 'validation_failed'])

/** A required field that is missing, or one that does not parse. */
export const IncompleteField = z.object({ path: z.array(z.string()), message: z.string() })
export type IncompleteField = z.infer<typeof IncompleteField>

const single = z.object({ verification: Verification })

/** `onboarding.verifications` (spec: Verifications and KYB field rules; decisions §7). */
export const verifications = resource('onboarding.verifications', {
  submit: operation({
    operationId: 'submitVerification',
    http: post('/customers/:customerId/verifications', { scopes: ['kyb:write'] }),
    tag: 'Verification',
    summary: 'Write any part of the KYB data and attempt submission',
    description:
      'Send the data that you have, as often as you like: groups merge field by field, lists are replaced, null clears a field. The response lists `incomplete_fields` and `missing_documents`. When both are empty, the case goes to review. An empty body only attempts the submission.',
    params: customerParams,
    query: z
      .object({
        unmodified_since: TimestampInput.optional().meta({
          description: 'Refuse the write if data or case changed after this time',
        }),
      })
      .optional(),
    body: KybWrite.optional(),
    badBody: 'validation_failed',
    reply: single.extend({
      submitted: z.boolean(),
      blocked_by: SubmissionBlock.nullable(),
      missing_documents: z.array(DocumentType),
      incomplete_fields: z.array(IncompleteField),
    }),
    refusals: ['validation_failed', 'resource_not_found', 'invalid_state'],
  }),
  getByCustomer: operation({
    operationId: 'getCustomerVerification',
    http: get('/customers/:customerId/verifications', { scopes: ['kyb:read'] }),
    tag: 'Verification',
    summary: 'Get the verification of a customer with the data that this partner wrote',
    description:
      'Use it to show a customer the status and the data so far. It returns 404 before your first write.',
    params: customerParams,
    reply: single,
    refusals: ['resource_not_found'],
  }),
  get: operation({
    operationId: 'getVerification',
    http: get('/verifications/:verificationId', { scopes: ['kyb:read'] }),
    tag: 'Verification',
    summary: 'Get a verification with the data that this partner wrote',
    description: 'Use it when you have a `verification_id`, for example from an event.',
    params: z.object({ verificationId: idOf('verification') }),
    reply: single,
    refusals: ['resource_not_found'],
  }),
  getSchema: operation({
    operationId: 'getVerificationSchema',
    http: get('/onboarding/schema', { scopes: ['kyb:read'] }),
    tag: 'Verification',
    summary: 'Get the JSON Schema of a verification write, and the rules of submission',
    description:
      'Use it to build or check a form. Writes are validated against this JSON Schema. Read it again with every release.',
    reply: z.object({
      /** JSON Schema 2020-12. */
      schema: z.record(z.string(), z.unknown()),
      /** Dotted paths. */
      required_at_submission: z.array(z.string()),
      document_types: z.array(DocumentType),
    }),
  }),
})
