import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { CapabilityName, Partner, Scope } from '@causeway/contracts'
import { z } from 'zod'

/** A partner as it is stored. */
export const PartnerRecord = z.object({
  partnerId: z.string(),
  name: z.string(),
  status: Partner.shape.status,
  scopes: z.array(Scope),
  defaultCapabilities: z.array(CapabilityName),
  createdAt: z.date(),
})
export type PartnerRecord = z.infer<typeof PartnerRecord>

const COLUMNS = 'partner_id, name, status, scopes, default_capabilities, created_at'

/** Adds a partner, under a revision of the change feed. */
export const insertPartner = queryNone({
  name: 'partners.insert',
  parameters: {
    partnerId: 'text',
    name: 'text',
    status: 'text',
    scopes: 'text[]',
    defaultCapabilities: 'text[]',
    createdAt: 'timestamptz',
    revision: 'bigint',
  },
  text: `
    INSERT INTO partners (partner_id, name, status, scopes, default_capabilities, created_at, revision)
    VALUES (:partnerId, :name, :status, :scopes, :defaultCapabilities, :createdAt, :revision)`,
})

export const getPartner = queryOne({
  name: 'partners.read',
  parameters: { partnerId: 'text' },
  text: `SELECT ${COLUMNS} FROM partners WHERE partner_id = :partnerId`,
  row: PartnerRecord,
})

/** Oldest first, after a position in (created_at, partner_id). */
export const listPartners = queryMany({
  name: 'partners.list',
  parameters: { afterAt: 'timestamptz', afterId: 'text', limit: 'integer' },
  text: `
    SELECT ${COLUMNS} FROM partners
    WHERE (created_at, partner_id) > (:afterAt, :afterId)
    ORDER BY created_at, partner_id LIMIT :limit`,
  row: PartnerRecord,
})

/** For staff: names by id. */
export const listPartnerNames = queryMany({
  name: 'partners.list-names',
  parameters: { partnerIds: 'text[]' },
  text: 'SELECT partner_id AS id, name FROM partners WHERE partner_id = ANY (:partnerIds)',
  row: z.object({ id: z.string(), name: z.string() }),
})

/** Sets the fields that staff may change, under a revision of the change feed. */
export const updatePartner = queryNone({
  name: 'partners.update',
  parameters: {
    partnerId: 'text',
    name: 'text',
    status: 'text',
    scopes: 'text[]',
    defaultCapabilities: 'text[]',
    revision: 'bigint',
  },
  text: `
    UPDATE partners SET name = :name, status = :status, scopes = :scopes,
      default_capabilities = :defaultCapabilities, revision = :revision
    WHERE partner_id = :partnerId`,
})

/** All disabled partners, and the revision of the change feed at which they are. */
export const getDisabledPartners = queryOne({
  name: 'partners.disabled',
  text: `
    SELECT revision, ARRAY(SELECT partner_id FROM partners WHERE status = 'disabled') AS partner_ids
    FROM registry`,
  row: z.object({ revision: z.number(), partnerIds: z.array(z.string()) }),
})
