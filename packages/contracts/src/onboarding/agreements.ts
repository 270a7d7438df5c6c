import { z } from 'zod'
import { customerParams } from './customers.ts'
import { characters } from './kyb-fields.ts'
import { get, post } from '../http/methods.ts'
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
/** A customer's status for an agreement. */
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
  /** The next version that comes into force; it can be accepted before. Absent if no next version exists. */
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
      params: { reason: 'too_many', expected: `at most ${MAX_EVIDENCE_VALUES} fields` },
    })
    .refine((evidence) => bytesOf(evidence) <= MAX_EVIDENCE_BYTES, {
      params: { reason: 'too_large', expected: `at most ${MAX_EVIDENCE_BYTES} bytes of JSON` },
    }),
})

const PublishAgreement = z.strictObject({
  title: text(200),
  version: text(100),
  effective_date: z.iso.date().refine((date) => date >= '1900-01-01', {
    params: { reason: 'invalid_date', expected: 'a date from 1900-01-01 on' },
  }),
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
    http: get('/customers/:customerId/agreements', { scopes: ['agreements:read'] }),
    tag: 'Verification',
    summary:
      'List all agreements with the customer’s acceptances, in order of first publication. Beyond ' +
      '512 KiB a page omits the evidence of older acceptances (`evidence_omitted`)',
    description:
      'Use it to find which agreements the customer must still accept (`required`), to show them (`document_url`), and to prove earlier acceptances.',
    params: customerParams,
    query: z.object(pageParameters),
    reply: AgreementList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  accept: operation({
    operationId: 'acceptAgreement',
    http: post('/customers/:customerId/agreements/:agreementId/acceptances', {
      scopes: ['agreements:accept'],
      status: { created: 201, existing: 200 },
    }),
    tag: 'Verification',
    summary: 'Record that the customer accepted the current version of an agreement',
    description:
      'Call it with the evidence when the customer has agreed in your user interface. A repeated call for the same version returns 200 with the first record.',
    // Ids of any form: the body is checked first, its time included.
    params: z.object({ customerId: z.string(), agreementId: z.string() }),
    body: AcceptAgreement,
    reply: z.object({ acceptance: Acceptance }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  publish: operation({
    operationId: 'publishAgreement',
    http: post('/agreements', { status: 201 }),
    role: 'reviewer',
    tag: 'Cases',
    fourEyes: ['agreements'],
    summary: 'Publish an agreement, or a new version with agreement_id',
    description:
      'Use it for new terms. A new version sets all acceptances of the previous version to `superseded`; capabilities then need the new acceptance. `effective_at` delays this; until then customers can accept in advance.',
    caller: 'operator',
    body: PublishAgreement,
    reply: z.object({ agreement: PublishedAgreement }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  listByStaff: operation({
    operationId: 'listAgreementVersions',
    http: get('/agreements'),
    role: 'viewer',
    tag: 'Cases',
    summary: 'List every published version of the agreements, newest first',
    description: 'Use it to see which versions are in force, scheduled or retired.',
    caller: 'operator',
    query: z.object(pageParameters),
    reply: AgreementVersionList,
    refusals: ['invalid_cursor'],
  }),
  retire: operation({
    operationId: 'retireAgreement',
    http: post('/agreements/:agreementId/retire'),
    role: 'reviewer',
    tag: 'Cases',
    fourEyes: ['agreements'],
    summary: 'Retire an agreement: nobody needs to accept it any longer',
    description:
      'Use it for terms that no longer apply. Acceptances stay on record. A scheduled version still comes into force.',
    caller: 'operator',
    params: z.object({ agreementId: idOf('agreement') }),
    reply: z.object({ agreement_id: idOf('agreement'), retired: z.literal(true) }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  getDocument: operation({
    operationId: 'getAgreementDocument',
    summary: 'Download a published version of an agreement by its document_url',
    description:
      'Show it to the customer before acceptance. It needs no credential. `content_hash` of the agreement is the SHA-256 of its bytes.',
    caller: 'public',
    params: z.object({ agreementId: idOf('agreement'), contentHash: ContentHash }),
    reply: z.object({ content_type: z.string(), content_base64: z.string() }),
    refusals: ['resource_not_found'],
  }),
})
