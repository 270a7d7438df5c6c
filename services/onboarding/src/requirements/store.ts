import { queryMany, queryOne } from '@causeway/chassis'
import { DocumentType, RequirementKind, RequirementStatus } from '@causeway/contracts'
import { z } from 'zod'
import { OUTSTANDING_STATUSES } from './domain.ts'

/** SQL: whether all partners of the merchant see requirement `q`: those raised under an unconfirmed link are the raiser's. */
const SHARED = `
  NOT EXISTS (
    SELECT FROM relationships u
    WHERE u.merchant_id = q.merchant_id AND u.partner_id = q.raised_by AND NOT u.link_confirmed)`

/** SQL: how many requirements of a merchant are open or fulfilled. */
export const outstandingOf = (merchant: string) => `
  SELECT count(*) FROM requirements q
  WHERE q.merchant_id = ${merchant} AND q.status IN ('${OUTSTANDING_STATUSES.join("', '")}') AND ${SHARED}`

const RequirementRow = z.object({
  requirementId: z.string(),
  merchantId: z.string(),
  raisedBy: z.string().nullable(),
  kind: RequirementKind,
  target: z.string().nullable(),
  documentType: DocumentType.nullable(),
  message: z.string(),
  status: RequirementStatus,
  documentId: z.string().nullable(),
  /** Whose document it is: other partners do not see its id. */
  documentPartnerId: z.string().nullable(),
  dueAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date().nullable(),
  resolvedAt: z.date().nullable(),
})
export type RequirementRow = z.infer<typeof RequirementRow>
const COLUMNS = `
  q.id AS requirement_id, q.merchant_id, q.raised_by, q.kind, q.target, q.document_type, q.message,
  q.status, q.document_id, q.due_at, q.created_at, q.updated_at, q.resolved_at,
  (SELECT d.partner_id FROM documents d WHERE d.id = q.document_id) AS document_partner_id`

const RELATIONSHIP = { partnerId: 'text', partnerCustomerId: 'text' } as const
/** SQL: the merchant of a relationship that is the partner's, active, and has begun its verification. */
const VISIBLE_MERCHANT = `
  (SELECT r.merchant_id FROM relationships r JOIN submissions s ON s.partner_customer_id = r.id
   WHERE r.id = :partnerCustomerId AND r.partner_id = :partnerId AND r.status = 'active')`

/** SQL: whether that relationship's partner sees requirement `q`. Under an unconfirmed link it sees its own only. */
const VISIBLE = `
  q.merchant_id = ${VISIBLE_MERCHANT}
  AND (q.raised_by = :partnerId
       OR (${SHARED} AND (SELECT r.link_confirmed FROM relationships r WHERE r.id = :partnerCustomerId)))`

/** The merchant of a relationship whose partner may see requirements, else null. */
export const getVisibleMerchant = queryOne({
  name: 'requirements.read-visible-merchant',
  parameters: RELATIONSHIP,
  text: `SELECT merchant_id FROM ${VISIBLE_MERCHANT} AS visible`,
  row: z.object({ merchantId: z.string() }),
})

/** One page, oldest first. */
export const listPage = queryMany({
  name: 'requirements.read-visible',
  parameters: { ...RELATIONSHIP, statuses: 'text[]', at: 'timestamptz', id: 'text', limit: 'bigint' },
  text: `
    SELECT ${COLUMNS} FROM requirements q
    WHERE ${VISIBLE} AND q.status = ANY(:statuses) AND (q.created_at, q.id) > (:at, :id)
    ORDER BY q.created_at, q.id LIMIT :limit`,
  row: RequirementRow,
})

export const getVisible = queryOne({
  name: 'requirements.read-one-visible',
  parameters: { ...RELATIONSHIP, requirementId: 'text' },
  text: `SELECT ${COLUMNS} FROM requirements q WHERE ${VISIBLE} AND q.id = :requirementId`,
  row: RequirementRow,
})

/** For staff. */
export const get = queryOne({
  name: 'requirements.read-one',
  parameters: { requirementId: 'text' },
  text: `SELECT ${COLUMNS} FROM requirements q WHERE q.id = :requirementId`,
  row: RequirementRow,
})

/** For staff: one page of a merchant's, oldest first. */
export const listPageByStaff = queryMany({
  name: 'requirements.read-page-of-merchant',
  parameters: { merchantId: 'text', at: 'timestamptz', id: 'text', limit: 'bigint' },
  text: `
    SELECT ${COLUMNS} FROM requirements q
    WHERE q.merchant_id = :merchantId AND (q.created_at, q.id) > (:at, :id) AND ${SHARED}
    ORDER BY q.created_at, q.id LIMIT :limit`,
  row: RequirementRow,
})

/** A partner's open requirements on a merchant, oldest first: 50 at the most. */
export const listOpenOfRaiser = queryMany({
  name: 'requirements.read-open-of',
  parameters: { merchantId: 'text', raisedBy: 'text' },
  text: `
    SELECT ${COLUMNS} FROM requirements q
    WHERE q.merchant_id = :merchantId AND coalesce(q.raised_by, '') = :raisedBy AND q.status = 'open'
    ORDER BY q.created_at, q.id`,
  row: RequirementRow,
})

/** How many requirements one party has raised on a merchant, whose row is locked. */
export const countOfRaiser = queryOne({
  name: 'requirements.count-raised',
  parameters: { merchantId: 'text', raisedBy: 'text?' },
  text: `
    SELECT count(*) AS total, count(*) FILTER (WHERE status = 'open') AS open FROM requirements
    WHERE merchant_id = :merchantId AND coalesce(raised_by, '') = coalesce(:raisedBy, '')`,
  row: z.object({ total: z.number(), open: z.number() }),
})

export const insert = queryOne({
  name: 'requirements.insert',
  parameters: {
    requirementId: 'text',
    merchantId: 'text',
    raisedBy: 'text?',
    kind: 'text',
    target: 'text?',
    documentType: 'text?',
    message: 'text',
    dueAt: 'timestamptz?',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO requirements AS q (id, merchant_id, raised_by, kind, target, document_type, message, status, due_at,
                                   created_at)
    VALUES (:requirementId, :merchantId, :raisedBy, :kind, :target, :documentType, :message, 'open', :dueAt, :now)
    RETURNING ${COLUMNS}`,
  row: RequirementRow,
})

/** Stores a new status; without a document the requirement keeps the one that it has. */
export const updateStatus = queryOne({
  name: 'requirements.move',
  parameters: {
    requirementId: 'text',
    status: 'text',
    documentId: 'text?',
    resolvedAt: 'timestamptz?',
    now: 'timestamptz',
  },
  text: `
    UPDATE requirements q
    SET status = :status, document_id = coalesce(:documentId, q.document_id), resolved_at = :resolvedAt,
        updated_at = :now
    WHERE q.id = :requirementId
    RETURNING ${COLUMNS}`,
  row: RequirementRow,
})

/** For staff: a merchant's case, which a requirement needs. */
export const findCase = queryOne({
  name: 'requirements.read-begun',
  parameters: { merchantId: 'text' },
  text: 'SELECT id FROM verifications WHERE merchant_id = :merchantId',
  row: z.object({ id: z.string() }),
})

/** A document that a partner may name: one of the relationship's own. */
export const findOwnDocument = queryOne({
  name: 'documents.read-own',
  parameters: { ...RELATIONSHIP, documentId: 'text' },
  text: `
    SELECT id FROM documents
    WHERE partner_id = :partnerId AND partner_customer_id = :partnerCustomerId AND id = :documentId`,
  row: z.object({ id: z.string() }),
})

/** Finds a document that staff may name: one of the merchant's, uploaded by anyone. */
export const findDocumentOfMerchant = queryOne({
  name: 'documents.read-of-merchant',
  parameters: { merchantId: 'text', documentId: 'text' },
  text: `
    SELECT d.id FROM documents d JOIN relationships r ON r.id = d.partner_customer_id
    WHERE r.merchant_id = :merchantId AND d.id = :documentId`,
  row: z.object({ id: z.string() }),
})
