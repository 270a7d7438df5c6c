import { z } from 'zod'
import { RelationshipStatus } from './customers.ts'
import { Document } from './documents.ts'
import { AdditionalValue, KybRecord } from './kyb.ts'
import { preparationOf } from '../gateway/four-eyes.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  idOf,
  limitParameter,
  NextCursor,
  pageParameters,
  text,
  Timestamp,
} from '../primitives.ts'
import { Requirement } from './requirements.ts'
import { sharedState, VerificationRejectionReason, VerificationStatus } from './verifications.ts'

const CaseVersion = z.number().int().min(1)

/** In a decision on a case. */
const readVersion = CaseVersion.optional().meta({
  description: 'The case `version` that you read; the decision is refused if the case changed since',
})

const approvalBody = z
  .strictObject({
    version: readVersion,
    reason: text(500).optional().meta({
      description: 'Why the case is approved although documents were not reviewed; kept in the audit log',
    }),
  })
  .optional()

/** State of a case that an approval relies on; every change that a reviewer can see increments the version. */
const ApprovalState = z.object({
  status: VerificationStatus,
  submitted_at: Timestamp.nullable(),
  version: CaseVersion,
  edited_at: Timestamp.nullable(),
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

/** Days of {@link ReviewFigures}, at most. */
export const MAX_REVIEW_DAYS = 92
/** Days of a reply whose request names none. */
export const DEFAULT_REVIEW_DAYS = 30

const Minutes = z.number().int().nullable()

/**
 * Decisions on cases by day (UTC), and how long cases waited for them, from their last submission on. A case that was
 * submitted again counts by its last decision alone.
 */
export const ReviewFigures = z.object({
  since: z.iso.date(),
  /** Days on which cases were decided, in order. */
  days: z.array(
    z.object({
      day: z.iso.date(),
      approved: z.number().int(),
      rejected: z.number().int(),
      /** Median; null where no wait is known. */
      waited_minutes: Minutes,
    }),
  ),
  /** Median of all these days. */
  waited_minutes: Minutes,
  /** Cases that wait for a decision now, and since when the oldest of them does. */
  waiting: z.object({ cases: z.number().int(), since: Timestamp.nullable() }),
})
export type ReviewFigures = z.infer<typeof ReviewFigures>

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

/** Changes of a relationship since the last decision on the case; before any decision, since its submission. */
export const CaseChanges = z.object({
  since: Timestamp,
  fields: z.array(FieldChange),
  people: z.array(PersonChange),
  /** False where there is no room for all: those here are the first. */
  complete: z.boolean(),
})
export type CaseChanges = z.infer<typeof CaseChanges>

/** A field whose value is accepted, but cannot be right or needs an explanation. */
export const FieldWarning = z.object({
  /** Dotted path, such as `directors.0.date_of_birth`. */
  field: z.string(),
  reason: z.enum([
    'in_the_future',
    'under_18',
    'over_100',
    'before_1600',
    'not_a_phone_number',
    'above_100_percent',
  ]),
})
export type FieldWarning = z.infer<typeof FieldWarning>

/** The contribution of one relationship to a case. */
export const CaseFile = z.object({
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  relationship_status: RelationshipStatus,
  /** Its data and documents are complete for submission. */
  complete: z.boolean(),
  /** It has accepted every current agreement. */
  agreements_accepted: z.boolean(),
  ...KybRecord.shape,
  /** The first of them, as far as there is room. */
  documents: z.array(Document),
  /** Cursor for the rest of `GET /customers/{partnerCustomerId}/documents`; null if these are all. */
  documents_next_cursor: NextCursor,
  /** Optional for an onboarding service that is older. */
  warnings: z.array(FieldWarning).optional(),
  /** Null where there is no earlier data to compare with. */
  changes: CaseChanges.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp.nullable(),
})
export type CaseFile = z.infer<typeof CaseFile>

const caseParams = z.object({ verificationId: idOf('verification') })
const reviewed = z.object({ verification: ReviewedCase })

/** A case in a list, with the name of its merchant. */
export const ListedCase = ReviewedCase.extend({
  customer_name: z.string().nullable().optional().meta({
    description: 'Name of the business; of several, the alphabetically first; null until one is given',
  }),
})
export type ListedCase = z.infer<typeof ListedCase>

export const CaseList = z.object({ verifications: z.array(ListedCase), next_cursor: NextCursor })

/** `onboarding.reviews`: staff review cases (decisions §14). */
export const reviews = resource('onboarding.reviews', {
  list: operation({
    operationId: 'listCases',
    http: get('/verifications'),
    role: 'viewer',
    tag: 'Cases',
    summary: 'List cases, least recently changed first',
    description:
      'Use it as the review queue: `status=pending` lists first the cases that have waited longest since their submission or last edit.',
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
    http: get('/verifications/:verificationId'),
    role: 'viewer',
    tag: 'Cases',
    summary: 'Get a case with the data and documents of its relationships, in pages',
    description:
      'Use it to decide a case: it holds the data and documents of all relationships of the merchant, and the changes since the last decision.',
    caller: 'operator',
    params: caseParams,
    query: z.object(pageParameters),
    reply: z.object({
      verification: ReviewedCase.extend({
        relationships: z.array(CaseFile),
        /** The first of them, as far as there is room. */
        requirements: z.array(Requirement),
        /** Cursor for the rest of `GET /merchants/{customerId}/requirements`; null if these are all. */
        requirements_next_cursor: NextCursor,
      }),
      next_cursor: NextCursor,
    }),
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  getFigures: operation({
    operationId: 'getReviewFigures',
    http: get('/review-figures'),
    role: 'viewer',
    tag: 'Cases',
    summary: 'Get the number of decided cases by day and how long they waited',
    description: `Use it to see whether reviews keep up. Days are in UTC; at most ${MAX_REVIEW_DAYS}.`,
    caller: 'operator',
    query: z.object({
      since: z.iso
        .date()
        .optional()
        .meta({
          description: `First day (UTC); the last ${DEFAULT_REVIEW_DAYS} days if left out`,
        }),
    }),
    reply: ReviewFigures,
    refusals: ['invalid_request'],
  }),
  approve: operation({
    operationId: 'approveCase',
    http: post('/verifications/:verificationId/approve'),
    role: 'reviewer',
    tag: 'Cases',
    fourEyes: ['approval'],
    preparedBy: 'prepareApproval',
    expected: ApprovalState,
    repeatable: true,
    summary: 'Approve a pending case',
    description:
      'Use it when data, documents and acceptances are complete. Capabilities become available, and partners receive `verification.approved`. A case edited after its submission (`edited_at`) needs the `version` that you read.',
    caller: 'operator',
    params: caseParams,
    body: approvalBody,
    reply: reviewed.extend({ reason: z.string().optional() }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  prepareApproval: operation({
    summary: 'Get the state of a case that an approval would change',
    caller: 'operator',
    params: caseParams,
    body: approvalBody,
    reply: preparationOf(ApprovalState),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  reject: operation({
    operationId: 'rejectCase',
    http: post('/verifications/:verificationId/reject'),
    role: 'reviewer',
    tag: 'Cases',
    summary: 'Reject a pending case; it can be edited and submitted again',
    description:
      'Use it when the case cannot be approved. It can be edited again, and partners receive `verification.rejected` with the reason.',
    caller: 'operator',
    params: caseParams,
    body: z.strictObject({ rejection_reason: VerificationRejectionReason, version: readVersion }),
    reply: reviewed,
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
