import { z } from 'zod'
import { RelationshipStatus } from './customers.ts'
import { Document } from './documents.ts'
import { AdditionalValue, KybRecord } from './kyb.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  idOf,
  limitParameter,
  NextCursor,
  pageParameters,
  Timestamp,
} from '../primitives.ts'
import { Requirement } from './requirements.ts'
import { sharedState, VerificationRejectionReason, VerificationStatus } from './verifications.ts'

const CaseVersion = z.number().int().min(1)

/** In a decision on a case. */
const readVersion = CaseVersion.optional().meta({
  description:
    'The `version` of the case that was read: the decision is refused if the case has changed since',
})

/** A case in the review queue. */
export const ReviewedCase = z.object({
  ...sharedState,
  customer_id: idOf('merchant'),
  created_at: Timestamp,
  /**
   * Incremented by every change that a reviewer can see: data, documents, requirements, acceptances, the state. Optional,
   * as the next field is, for an onboarding service that is older than they are.
   */
  version: CaseVersion.optional(),
  /** When data or documents last changed since the case was submitted; null: not since then. */
  edited_at: Timestamp.nullable().optional(),
})
export type ReviewedCase = z.infer<typeof ReviewedCase>

/** A field that has another value than in the data before; null on the side where it has none. */
export const FieldChange = z.object({
  /** Dotted path, such as `business.legal_name`; of a person the name of the field. */
  field: z.string(),
  before: AdditionalValue,
  after: AdditionalValue,
})
export type FieldChange = z.infer<typeof FieldChange>

/** People have no ids: one is recognised by the same data, else by the same name, else by the same date of birth. */
export const PersonChange = z.object({
  list: z.enum(['directors', 'ubos']),
  change: z.enum(['added', 'removed', 'changed']),
  full_name: z.string().nullable(),
  fields: z.array(FieldChange),
})
export type PersonChange = z.infer<typeof PersonChange>

/** What a relationship has changed since staff decided on the case, and before any decision since it was submitted. */
export const CaseChanges = z.object({
  since: Timestamp,
  fields: z.array(FieldChange),
  people: z.array(PersonChange),
  /** False where there is no room for all: those here are the first. */
  complete: z.boolean(),
})
export type CaseChanges = z.infer<typeof CaseChanges>

/** The contribution of one relationship to a case. */
export const CaseFile = z.object({
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  relationship_status: RelationshipStatus,
  /** Whether its data and documents are complete for submission. */
  complete: z.boolean(),
  /** Whether it has accepted every current agreement. */
  agreements_accepted: z.boolean(),
  ...KybRecord.shape,
  /** The first of them, as far as there is room. */
  documents: z.array(Document),
  /** Where `GET /customers/{partnerCustomerId}/documents` goes on; null where these are all. */
  documents_next_cursor: NextCursor,
  /** Null where there is no earlier data to compare with. */
  changes: CaseChanges.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp.nullable(),
})
export type CaseFile = z.infer<typeof CaseFile>

const caseParams = z.object({ verificationId: idOf('verification') })
const reviewed = z.object({ verification: ReviewedCase })

export const CaseList = z.object({ verifications: z.array(ReviewedCase), next_cursor: NextCursor })

/** `onboarding.reviews`: staff review cases (decisions §14). */
export const reviews = resource('onboarding.reviews', {
  list: operation({
    operationId: 'listCases',
    summary: 'List cases, those first that have not changed for the longest time',
    description:
      'Use it as the queue of reviews: with `status=pending` those come first that have waited longest since their submission or last edit.',
    caller: 'operator',
    query: z.object({
      status: VerificationStatus.optional(),
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
    }),
    reply: CaseList,
    refusals: ['invalid_cursor'],
  }),
  get: operation({
    operationId: 'getCase',
    summary: "Read a case with every relationship's data and documents, a page of relationships at a time",
    description:
      'Use it to decide a case: it holds the data and documents of every relationship of the merchant, and what has changed since the last decision.',
    caller: 'operator',
    params: caseParams,
    query: z.object(pageParameters),
    reply: z.object({
      verification: ReviewedCase.extend({
        relationships: z.array(CaseFile),
        /** The first of them, as far as there is room. */
        requirements: z.array(Requirement),
        /** Where `GET /merchants/{customerId}/requirements` goes on; null where these are all. */
        requirements_next_cursor: NextCursor,
      }),
      next_cursor: NextCursor,
    }),
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  approve: operation({
    operationId: 'approveCase',
    summary: 'Approve a pending case',
    description:
      'Use it when the data, the documents and the acceptances are complete. Capabilities become available, and the partners get `verification.approved`. A case that was edited after its submission (`edited_at`) needs the `version` that you have read.',
    caller: 'operator',
    params: caseParams,
    body: z.strictObject({ version: readVersion }).optional(),
    reply: reviewed,
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  reject: operation({
    operationId: 'rejectCase',
    summary: 'Reject a pending case; it accepts edits and can be submitted again',
    description:
      'Use it when the case cannot be approved as it is. It takes edits again, and the partners get `verification.rejected` with the reason.',
    caller: 'operator',
    params: caseParams,
    body: z.strictObject({ rejection_reason: VerificationRejectionReason, version: readVersion }),
    reply: reviewed,
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
