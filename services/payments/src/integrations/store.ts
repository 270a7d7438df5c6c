import { statement } from '@causeway/chassis'
import { z } from 'zod'

const COLUMNS = `
  i.id, i.partner_id AS "partnerId", i.partner_customer_id AS "partnerCustomerId", i.merchant_id AS "merchantId",
  i.name, i.processor, i.return_url AS "returnUrl", i.failure_url AS "failureUrl", i.contact_url AS "contactUrl",
  i.created_at AS "createdAt", i.updated_at AS "updatedAt"`

const IntegrationRow = z.object({
  id: z.string(),
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  merchantId: z.string(),
  name: z.string(),
  processor: z.string(),
  returnUrl: z.string().nullable(),
  failureUrl: z.string().nullable(),
  contactUrl: z.string().nullable(),
  createdAt: z.date(),
  updatedAt: z.date().nullable(),
})

/** Holds an active relationship of the partner, so that its integrations are counted exactly. $1 partner, $2 relationship */
export const holdRelationship = statement({
  name: 'integrations.hold-relationship',
  text: `
    SELECT merchant_id AS "merchantId" FROM relationships
    WHERE partner_id = $1 AND partner_customer_id = $2 AND status = 'active' FOR UPDATE`,
  row: z.object({ merchantId: z.string() }),
})

/**
 * Gives relationships their first integration, once each. $1 ids, $2 partners, $3 relationships, $4 merchants,
 * $5 name, $6 processor, $7 now
 */
export const seed = statement({
  name: 'integrations.seed',
  text: `
    INSERT INTO integrations AS i
      (id, partner_id, partner_customer_id, merchant_id, name, processor, seeded, created_at)
    SELECT id, partner_id, partner_customer_id, merchant_id, $5, $6, true, $7
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS s (id, partner_id, partner_customer_id, merchant_id)
    ON CONFLICT DO NOTHING
    RETURNING ${COLUMNS}`,
  row: IntegrationRow,
})

/** $1 id, $2 partner, $3 relationship, $4 merchant, $5 name, $6 processor, $7 to $9 URLs, $10 now */
export const insert = statement({
  name: 'integrations.insert',
  text: `
    INSERT INTO integrations AS i (id, partner_id, partner_customer_id, merchant_id, name, processor,
                                   return_url, failure_url, contact_url, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (partner_customer_id, name) WHERE deleted_at IS NULL DO NOTHING
    RETURNING ${COLUMNS}`,
  row: IntegrationRow,
})

/**
 * A page of the integrations of an active relationship, oldest first; none where it is unknown here. $1 partner,
 * $2 relationship, $3 and $4 where the page before ended, $5 limit
 */
export const listVisible = statement({
  name: 'integrations.list-visible',
  text: `
    SELECT ${COLUMNS} FROM integrations i
    JOIN relationships r ON r.partner_customer_id = i.partner_customer_id AND r.partner_id = i.partner_id
    WHERE i.partner_id = $1 AND i.partner_customer_id = $2 AND i.deleted_at IS NULL AND r.status = 'active'
      AND (i.created_at, i.id) > ($3, $4)
    ORDER BY i.created_at, i.id LIMIT $5`,
  row: IntegrationRow,
})

/** All integrations of a held relationship, oldest first; at most 25. $1 partner, $2 relationship */
export const list = statement({
  name: 'integrations.list',
  text: `
    SELECT ${COLUMNS} FROM integrations i
    WHERE i.partner_id = $1 AND i.partner_customer_id = $2 AND i.deleted_at IS NULL
    ORDER BY i.created_at, i.id`,
  row: IntegrationRow,
})

/** $1 partner, $2 relationship, $3 integration, $4 now */
export const remove = statement({
  name: 'integrations.remove',
  text: `
    UPDATE integrations i SET deleted_at = $4
    WHERE i.partner_id = $1 AND i.partner_customer_id = $2 AND i.id = $3 AND i.deleted_at IS NULL
    RETURNING ${COLUMNS}`,
  row: IntegrationRow,
})

/** For staff. $1 integration, $2 processor, $3 now */
export const setProcessor = statement({
  name: 'integrations.set-processor',
  text: `
    UPDATE integrations i SET processor = $2, updated_at = $3
    WHERE i.id = $1 AND i.deleted_at IS NULL
    RETURNING ${COLUMNS}, old.processor AS "processorBefore"`,
  row: IntegrationRow.extend({ processorBefore: z.string() }),
})

/** Whoever's it is, deleted ones too: for other services. $1 integration */
export const readState = statement({
  name: 'integrations.read-state',
  text: `SELECT ${COLUMNS}, i.deleted_at IS NOT NULL AS deleted FROM integrations i WHERE i.id = $1`,
  row: IntegrationRow.extend({ deleted: z.boolean() }),
})
