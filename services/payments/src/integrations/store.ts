import { queryMany, queryOne } from '@causeway/chassis'
import { z } from 'zod'

const COLUMNS = `
  i.id, i.partner_id, i.partner_customer_id, i.merchant_id, i.name, i.processor, i.return_url, i.failure_url,
  i.contact_url, i.created_at, i.updated_at`

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

/** Inserts a relationship's first integration, once: no row when it has ever had one. */
export const insertFirst = queryOne({
  name: 'integrations.seed',
  parameters: {
    id: 'text',
    partnerId: 'text',
    partnerCustomerId: 'text',
    merchantId: 'text',
    name: 'text',
    processor: 'text',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO integrations AS i (id, partner_id, partner_customer_id, merchant_id, name, processor, seeded, created_at)
    VALUES (:id, :partnerId, :partnerCustomerId, :merchantId, :name, :processor, true, :now)
    ON CONFLICT DO NOTHING
    RETURNING ${COLUMNS}`,
  row: IntegrationRow,
})

/** No row where the relationship has an integration of this name. */
export const insert = queryOne({
  name: 'integrations.insert',
  parameters: {
    id: 'text',
    partnerId: 'text',
    partnerCustomerId: 'text',
    merchantId: 'text',
    name: 'text',
    processor: 'text',
    returnUrl: 'text?',
    failureUrl: 'text?',
    contactUrl: 'text?',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO integrations AS i (id, partner_id, partner_customer_id, merchant_id, name, processor,
                                   return_url, failure_url, contact_url, created_at)
    VALUES (:id, :partnerId, :partnerCustomerId, :merchantId, :name, :processor,
            :returnUrl, :failureUrl, :contactUrl, :now)
    ON CONFLICT (partner_customer_id, name) WHERE deleted_at IS NULL DO NOTHING
    RETURNING ${COLUMNS}`,
  row: IntegrationRow,
})

/** Integrations after an id, deleted ones included. */
export const listAfter = queryMany({
  name: 'integrations.list-after',
  parameters: { after: 'text', limit: 'integer' },
  text: `
    SELECT ${COLUMNS}, i.deleted_at IS NOT NULL AS deleted FROM integrations i
    WHERE i.id > :after ORDER BY i.id LIMIT :limit`,
  row: IntegrationRow.extend({ deleted: z.boolean() }),
})

/** A page of an active relationship's integrations, oldest first, of those after `(createdAt, id)`. */
export const listPage = queryMany({
  name: 'integrations.list-visible',
  parameters: {
    partnerId: 'text',
    partnerCustomerId: 'text',
    afterAt: 'timestamptz',
    afterId: 'text',
    limit: 'bigint',
  },
  text: `
    SELECT ${COLUMNS} FROM integrations i
    JOIN relationships r ON r.partner_customer_id = i.partner_customer_id AND r.partner_id = i.partner_id
    WHERE i.partner_id = :partnerId AND i.partner_customer_id = :partnerCustomerId AND i.deleted_at IS NULL
      AND r.status = 'active' AND (i.created_at, i.id) > (:afterAt, :afterId)
    ORDER BY i.created_at, i.id LIMIT :limit`,
  row: IntegrationRow,
})

/** All integrations of a locked relationship, oldest first; at most 25. */
export const listAll = queryMany({
  name: 'integrations.list',
  parameters: { partnerId: 'text', partnerCustomerId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM integrations i
    WHERE i.partner_id = :partnerId AND i.partner_customer_id = :partnerCustomerId AND i.deleted_at IS NULL
    ORDER BY i.created_at, i.id`,
  row: IntegrationRow,
})

/** Marks an integration as deleted. */
export const markDeleted = queryOne({
  name: 'integrations.remove',
  parameters: { partnerId: 'text', partnerCustomerId: 'text', integrationId: 'text', now: 'timestamptz' },
  text: `
    UPDATE integrations i SET deleted_at = :now
    WHERE i.partner_id = :partnerId AND i.partner_customer_id = :partnerCustomerId AND i.id = :integrationId
      AND i.deleted_at IS NULL
    RETURNING ${COLUMNS}`,
  row: IntegrationRow,
})

/** For staff. */
export const updateProcessor = queryOne({
  name: 'integrations.set-processor',
  parameters: { integrationId: 'text', processor: 'text', now: 'timestamptz' },
  text: `
    UPDATE integrations i SET processor = :processor, updated_at = :now
    WHERE i.id = :integrationId AND i.deleted_at IS NULL
    RETURNING ${COLUMNS}, old.processor AS processor_before`,
  row: IntegrationRow.extend({ processorBefore: z.string() }),
})

/** Reads an integration of any partner, also a deleted one, for other services. */
export const getState = queryOne({
  name: 'integrations.read-state',
  parameters: { integrationId: 'text' },
  text: `SELECT ${COLUMNS}, i.deleted_at IS NOT NULL AS deleted FROM integrations i WHERE i.id = :integrationId`,
  row: IntegrationRow.extend({ deleted: z.boolean() }),
})
