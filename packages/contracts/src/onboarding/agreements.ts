import { z } from 'zod'
import { customerParams } from './customers.ts'
import { characters } from './kyb-fields.ts'
import { operation, resource } from '../operation.ts'
import { idOf, NextCursor, pageParameters, text, Timestamp, TimestampInput } from '../primitives.ts'

/** SHA-256 in hex. */
export const ContentHash = z.string().regex(/^[0-9a-f]{64}$/)
const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const MAX_EVIDENCE_VALUES = 50
/** Size limit as compact JSON, in bytes of UTF-8 (decisions §18). */
const MAX_EVIDENCE_BYTES = 256 * 1024
/** Previous acceptances of one agreement that a list shows: the newest. */
export const MAX_PREVIOUS_ACCEPTANCES = 100

/** The record of an acceptance (spec: Agreement and acceptance). */
export const Acceptance = z.object({
  acceptance_id: idOf('acceptance'),
  agreement_id: idOf('agreement'),
  agreement_version: z.string(),
  content_hash: ContentHash,
  acceptance_channel: z.string(),
  accepted_at: Timestamp,
  recorded_at: Timestamp,
  accepted_via_partner: z.boolean(),
  evidence: z.record(z.string(), Scalar),
  /** Set where a list leaves the evidence out because the page is full; `evidence` is empty then. */
  evidence_omitted: z.literal(true).optional(),
})
export type Acceptance = z.infer<typeof Acceptance>

export const AgreementParty = z.object({ role: z.string(), name: z.string() })
/** How a customer stands to an agreement. */
export const AgreementStatus = z.enum(['required', 'accepted', 'superseded'])

/** A published version of an agreement. */
export const PublishedAgreement = z.object({
  agreement_id: idOf('agreement'),
  title: z.string(),
  version: z.string(),
  effective_date: z.iso.date(),
  document_url: z.string(),
  content_hash: ContentHash,
  parties: z.array(AgreementParty),
  disclosure: z.string(),
  /** Given where the version is not in force yet. */
  effective_at: Timestamp.optional(),
})
export type PublishedAgreement = z.infer<typeof PublishedAgreement>

/** A version that is published and comes into force later. */
export const UpcomingVersion = z.object({
  version: z.string(),
  effective_at: Timestamp,
  document_url: z.string(),
  accepted: z.boolean(),
})

/** A published agreement with one customer's acceptances of it. */
export const Agreement = PublishedAgreement.omit({ effective_at: true }).extend({
  status: AgreementStatus,
  current_acceptance: Acceptance.nullable(),
  previous_acceptances: z.array(Acceptance).max(MAX_PREVIOUS_ACCEPTANCES),
  /** How many older ones are left out; absent where none is. */
  previous_acceptances_omitted: z.number().int().positive().optional(),
  /** The next version that comes into force; it can be accepted before. Absent where there is none. */
  upcoming: UpcomingVersion.optional(),
})
export type Agreement = z.infer<typeof Agreement>

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

const AcceptAgreement = z.strictObject({
  agreement_version: text(100),
  acceptance_channel: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  accepted_at: TimestampInput,
  evidence: z
    .record(z.string(), z.union([characters(2_000), z.number(), z.boolean(), z.null()]))
    .refine((evidence) => Object.keys(evidence).length <= MAX_EVIDENCE_VALUES, {
      params: { reason: 'too_many' },
    })
    .refine((evidence) => bytesOf(evidence) <= MAX_EVIDENCE_BYTES, { params: { reason: 'too_large' } }),
})

const PublishAgreement = z.strictObject({
  title: text(200),
  version: text(100),
  effective_date: z.iso.date().refine((date) => date >= '1900-01-01', { params: { reason: 'invalid_date' } }),
  parties: z
    .array(z.strictObject({ role: text(100), name: text(200) }))
    .min(1)
    .max(20),
  disclosure: text(10_000),
  content_base64: z.base64().min(1),
  agreement_id: idOf('agreement').optional(),
  effective_at: TimestampInput.optional(),
})

/** A version as staff see it; a retired one was replaced, or its agreement ended. */
export const StaffAgreementVersion = PublishedAgreement.omit({ effective_at: true }).extend({
  status: z.enum(['in_force', 'upcoming', 'retired']),
  published_at: Timestamp,
  /** When it comes into force, or did; null where that was at its publication. */
  effective_at: Timestamp.nullable(),
})
export type StaffAgreementVersion = z.infer<typeof StaffAgreementVersion>

export const AgreementVersionList = z.object({
  versions: z.array(StaffAgreementVersion),
  next_cursor: NextCursor,
})

export const AgreementList = z.object({ agreements: z.array(Agreement), next_cursor: NextCursor })

/** `onboarding.agreements` (spec: Agreements; decisions §5 and §14). */
export const agreements = resource('onboarding.agreements', {
  list: operation({
    operationId: 'listAgreements',
    summary:
      'List every agreement with the acceptances of a customer, in the order of their first publication; past the ' +
      'page’s 512 KiB the evidence of older acceptances is left out (`evidence_omitted`)',
    description:
      'Use it to find what a customer has still to accept (`status` is `required`), to show it by its `document_url`, and to prove what was accepted before.',
    params: customerParams,
    query: z.object(pageParameters),
    reply: AgreementList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  accept: operation({
    operationId: 'acceptAgreement',
    summary: 'Record that the customer has accepted the current version of an agreement',
    description:
      'Call it once the customer has agreed in your own screens, with the evidence of it. The same version again answers 200 with the first record.',
    // Ids of any form: the body is checked first, its time included.
    params: z.object({ customerId: z.string(), agreementId: z.string() }),
    body: AcceptAgreement,
    reply: z.object({ acceptance: Acceptance }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  publish: operation({
    operationId: 'publishAgreement',
    summary: 'Publish an agreement, or with agreement_id a new version of one',
    description:
      'Use it for new terms. A new version makes every customer’s acceptance of the one before `superseded`, and their capabilities wait for the new acceptance. With `effective_at` that begins at a later time, until when customers can accept it in advance.',
    caller: 'operator',
    body: PublishAgreement,
    reply: z.object({ agreement: PublishedAgreement }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  listByStaff: operation({
    operationId: 'listAgreementVersions',
    summary: 'List every published version of the agreements, newest first',
    description: 'Use it to see what is in force, what comes into force later and what was retired.',
    caller: 'operator',
    query: z.object(pageParameters),
    reply: AgreementVersionList,
    refusals: ['invalid_cursor'],
  }),
  retire: operation({
    operationId: 'retireAgreement',
    summary: 'End an agreement: nobody has to accept it any more',
    description:
      'Use it for terms that no longer apply. What was accepted stays on record; a version that is published for later still comes into force.',
    caller: 'operator',
    params: z.object({ agreementId: idOf('agreement') }),
    reply: z.object({ agreement_id: idOf('agreement'), retired: z.literal(true) }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  getDocument: operation({
    operationId: 'getAgreementDocument',
    summary: 'A published version of an agreement, as document_url names it',
    description:
      'Show it to the customer before it accepts. It needs no credential, and the SHA-256 of its bytes is the `content_hash` of the agreement.',
    caller: 'public',
    params: z.object({ agreementId: idOf('agreement'), contentHash: ContentHash }),
    reply: z.object({ content_type: z.string(), content_base64: z.string() }),
    refusals: ['resource_not_found'],
  }),
})
