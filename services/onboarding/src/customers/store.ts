import { queryMany, queryOne, withDataKey } from '@causeway/chassis'
import { RelationshipStatus, VerificationStatus } from '@causeway/contracts'
import { z } from 'zod'

const CustomerRow = z.object({
  partnerCustomerId: z.string(),
  merchantId: z.string(),
  externalCustomerId: z.string(),
  relationshipStatus: RelationshipStatus,
  emailSealed: z.string(),
  customerName: z.string().nullable(),
  customerCountry: z.string().nullable(),
  createdAt: z.date(),
})
export type CustomerRow = z.infer<typeof CustomerRow>
const COLUMNS = `
  r.id AS partner_customer_id, r.merchant_id, r.external_customer_id, r.status AS relationship_status,
  ${withDataKey('r.email_sealed', 'r.id')} AS email_sealed, r.customer_name, r.customer_country, r.created_at`

/**
 * The active customers among many pairs of partner and relationship, given as two arrays of equal length; `position`
 * counts from 1. A pair whose relationship is not that partner's gives no row.
 */
export const getMany = queryMany({
  name: 'customers.read-many',
  parameters: { partnerIds: 'text[]', partnerCustomerIds: 'text[]' },
  // Each key is looked up separately (LATERAL, LIMIT 1): a join reads the whole table while statistics call it small.
  text: `
    SELECT asked.position, ${COLUMNS}
    FROM unnest(:partnerIds, :partnerCustomerIds) WITH ORDINALITY AS asked (partner_id, id, position)
    CROSS JOIN LATERAL (SELECT * FROM relationships WHERE id = asked.id LIMIT 1) r
    WHERE r.partner_id = asked.partner_id AND r.status = 'active'`,
  row: CustomerRow.extend({ position: z.number() }),
})

/** One page of the partner's active customers, oldest first. */
export const listPage = queryMany({
  name: 'customers.read-page',
  parameters: { partnerId: 'text', at: 'timestamptz', id: 'text', until: 'timestamptz', limit: 'bigint' },
  text: `
    SELECT ${COLUMNS}
    FROM relationships r
    WHERE r.partner_id = :partnerId AND r.status = 'active' AND (r.created_at, r.id) > (:at, :id)
      AND r.created_at < :until
    ORDER BY r.created_at, r.id
    LIMIT :limit`,
  row: CustomerRow,
})

/** The partner's active customer with the partner's id of it. */
export const findActiveByExternalId = queryMany({
  name: 'customers.read-by-external-id',
  parameters: { partnerId: 'text', externalCustomerId: 'text' },
  text: `
    SELECT ${COLUMNS}
    FROM relationships r
    WHERE r.external_customer_id = :externalCustomerId AND r.partner_id = :partnerId AND r.status = 'active'`,
  row: CustomerRow,
})

/** For staff: a customer whatever its status. */
export const get = queryOne({
  name: 'customers.read-one',
  parameters: { partnerCustomerId: 'text' },
  text: `SELECT ${COLUMNS} FROM relationships r WHERE r.id = :partnerCustomerId`,
  row: CustomerRow,
})

const CustomerOfPartnerRow = CustomerRow.extend({ partnerId: z.string() })
export type CustomerOfPartnerRow = z.infer<typeof CustomerOfPartnerRow>

const search = { limit: 'bigint' } as const

/** For staff: customers of all partners with an external id. */
export const listByExternalId = queryMany({
  name: 'customers.search-external-id',
  parameters: { ...search, externalCustomerId: 'text' },
  text: `
    SELECT ${COLUMNS}, r.partner_id FROM relationships r WHERE r.external_customer_id = :externalCustomerId
    ORDER BY r.partner_id LIMIT :limit`,
  row: CustomerOfPartnerRow,
})

/** For staff: the customers that are one merchant. */
export const listByMerchant = queryMany({
  name: 'customers.search-merchant',
  parameters: { ...search, merchantId: 'text' },
  text: `
    SELECT ${COLUMNS}, r.partner_id FROM relationships r WHERE r.merchant_id = :merchantId
    ORDER BY r.partner_id LIMIT :limit`,
  row: CustomerOfPartnerRow,
})

/** For staff: the customers that are the merchant of an e-mail address. */
export const listByEmail = queryMany({
  name: 'customers.search-email',
  parameters: { ...search, emailMac: 'bytea' },
  text: `
    SELECT ${COLUMNS}, r.partner_id FROM relationships r
    WHERE r.merchant_id = (SELECT id FROM merchants WHERE email_mac = :emailMac)
    ORDER BY r.partner_id LIMIT :limit`,
  row: CustomerOfPartnerRow,
})

/**
 * For staff: customers whose name begins with a text, after a position, by name. `sortName` is the name as it is ordered.
 * @param until the text, followed by the last character that there is
 */
export const listByName = queryMany({
  name: 'customers.search-name',
  parameters: { ...search, from: 'text', until: 'text', afterName: 'text', afterId: 'text' },
  text: `
    SELECT ${COLUMNS}, r.partner_id, lower(r.customer_name) AS sort_name FROM relationships r
    WHERE r.customer_name IS NOT NULL
      AND lower(r.customer_name) COLLATE "C" >= lower(:from) AND lower(r.customer_name) COLLATE "C" < lower(:until)
      AND (lower(r.customer_name) COLLATE "C", r.id) > (:afterName, :afterId)
    ORDER BY lower(r.customer_name) COLLATE "C", r.id LIMIT :limit`,
  row: CustomerOfPartnerRow.extend({ sortName: z.string() }),
})

/**
 * For staff: customers whose name has words similar to a text, the most similar first; none whose name begins with it. One
 * changed letter in a word of six is a distance of 0.5. The nearest are taken before they are judged, so that a text that is
 * like no name ends too.
 * @param until the text, followed by the last character that there is
 * @param nearest how many are judged
 */
export const listBySimilarName = queryMany({
  name: 'customers.search-similar-name',
  parameters: { ...search, name: 'text', until: 'text', nearest: 'bigint' },
  text: `
    SELECT ${COLUMNS}, r.partner_id
    FROM (
      SELECT *, lower(:name) <<-> lower(customer_name) AS distance FROM relationships WHERE customer_name IS NOT NULL
      ORDER BY distance LIMIT :nearest
    ) AS r
    WHERE distance <= 0.55
      AND NOT (lower(r.customer_name) COLLATE "C" >= lower(:name) AND lower(r.customer_name) COLLATE "C" < lower(:until))
    ORDER BY distance, lower(r.customer_name) COLLATE "C", r.id LIMIT :limit`,
  row: CustomerOfPartnerRow,
})

const ListedRow = CustomerOfPartnerRow.extend({
  linkConfirmed: z.boolean(),
  verificationStatus: VerificationStatus.nullable(),
})
export type ListedRow = z.infer<typeof ListedRow>

const list = {
  ...search,
  active: 'boolean',
  revoked: 'boolean',
  at: 'timestamptz',
  id: 'text',
} as const

/**
 * One page, newest first. Each status is read in the order of its index, at most a page of it, so that a filter on either, or
 * on neither, reads no more than two pages.
 */
const newest = (condition: string): string => {
  const ofStatus = (status: RelationshipStatus) => `
      (SELECT * FROM relationships
       WHERE ${condition} status = '${status}' AND :${status} AND (created_at, id) < (:at, :id)
       ORDER BY created_at DESC, id DESC LIMIT :limit)`
  return `
    SELECT ${COLUMNS}, r.partner_id, r.link_confirmed,
      (SELECT status FROM verifications WHERE merchant_id = r.merchant_id) AS verification_status
    FROM (${ofStatus('active')}
      UNION ALL${ofStatus('revoked')}
    ) AS r
    ORDER BY r.created_at DESC, r.id DESC LIMIT :limit`
}

/**
 * For staff: one page of the customers of all partners, newest first.
 * @param active true to read active ones; `revoked` likewise
 */
export const listNewest = queryMany({
  name: 'customers.list-newest',
  parameters: list,
  text: newest(''),
  row: ListedRow,
})

/** The same of one partner. */
export const listNewestOfPartner = queryMany({
  name: 'customers.list-newest-of-partner',
  parameters: { ...list, partnerId: 'text' },
  text: newest('partner_id = :partnerId AND'),
  row: ListedRow,
})

/** The partner's relationships with this external id, and with this e-mail address: one that has both comes twice. */
export const listLinks = queryMany({
  name: 'customers.find-links',
  parameters: { partnerId: 'text', externalCustomerId: 'text', emailMac: 'bytea' },
  text: `
    SELECT ${COLUMNS}, m.email_mac = :emailMac AS same_email
    FROM relationships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.partner_id = :partnerId AND r.external_customer_id = :externalCustomerId
    UNION ALL
    SELECT ${COLUMNS}, true
    FROM relationships r
    WHERE r.partner_id = :partnerId AND r.merchant_id = (SELECT id FROM merchants WHERE email_mac = :emailMac)`,
  row: CustomerRow.extend({ sameEmail: z.boolean() }),
})

/**
 * Inserts a relationship and its data key. The caller has locked the merchant's row, so of two first links one sees
 * the other. No row comes back when the partner has used the external id or linked the merchant
 * (relationships_external_id, relationships_merchant). The e-mail address comes back as it was given, without its key:
 * a statement does not see the row that it adds.
 * @param values.open true if the link is valid immediately although the merchant has another relationship
 */
export const insert = queryOne({
  name: 'customers.insert',
  parameters: {
    partnerCustomerId: 'text',
    partnerId: 'text',
    merchantId: 'text',
    externalCustomerId: 'text',
    emailSealed: 'text',
    granted: 'text[]',
    merchantCreatedAt: 'timestamptz',
    now: 'timestamptz',
    open: 'boolean',
    keySealed: 'text',
  },
  text: `
    WITH linked AS (
      INSERT INTO relationships AS r (id, partner_id, merchant_id, external_customer_id, email_sealed, status,
                                      granted, merchant_created_at, created_at, agreement_required, agreements_revision,
                                      link_confirmed)
      VALUES (:partnerCustomerId, :partnerId, :merchantId, :externalCustomerId, :emailSealed, 'active', :granted,
              :merchantCreatedAt, :now, EXISTS (SELECT FROM agreements WHERE current_version IS NOT NULL),
              (SELECT revision FROM agreement_catalogue),
              :open OR NOT EXISTS (SELECT FROM relationships other WHERE other.merchant_id = :merchantId))
      ON CONFLICT DO NOTHING
      RETURNING ${COLUMNS}, r.agreement_required, r.link_confirmed
    ), key AS (
      INSERT INTO data_keys (subject, key_sealed, created_at) SELECT partner_customer_id, :keySealed, :now FROM linked
    )
    SELECT * FROM linked`,
  row: CustomerRow.extend({ agreementRequired: z.boolean(), linkConfirmed: z.boolean() }),
})

/** The customer's name by the relationship's own submitted data. */
export const getName = queryOne({
  name: 'customers.read-name',
  parameters: { partnerId: 'text', partnerCustomerId: 'text' },
  text: `
    SELECT customer_name AS name FROM relationships
    WHERE partner_id = :partnerId AND id = :partnerCustomerId`,
  row: z.object({ name: z.string().nullable() }),
})

/** Stores name and country by the relationship's own submitted data. A row comes back if that changes either. */
export const updateNameAndCountry = queryOne({
  name: 'customers.fill',
  parameters: { partnerId: 'text', partnerCustomerId: 'text', name: 'text?', country: 'text?' },
  text: `
    UPDATE relationships SET customer_name = :name, customer_country = :country
    WHERE partner_id = :partnerId AND id = :partnerCustomerId
      AND (customer_name, customer_country) IS DISTINCT FROM (:name, :country)
    RETURNING id`,
  row: z.object({ id: z.string() }),
})

/**
 * For staff: names of customers and merchants, whatever their status. A merchant of several customers has the
 * alphabetically first.
 */
export const listNames = queryMany({
  name: 'customers.list-names',
  parameters: { relationshipIds: 'text[]', merchantIds: 'text[]' },
  text: `
    SELECT asked.id, named.name
    FROM unnest(:relationshipIds) AS asked (id)
    CROSS JOIN LATERAL (SELECT customer_name AS name FROM relationships WHERE id = asked.id LIMIT 1) AS named
    WHERE named.name IS NOT NULL
    UNION ALL
    SELECT asked.id, named.name
    FROM unnest(:merchantIds) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT min(r.customer_name) AS name FROM relationships r WHERE r.merchant_id = asked.id) AS named
    WHERE named.name IS NOT NULL`,
  row: z.object({ id: z.string(), name: z.string() }),
})
