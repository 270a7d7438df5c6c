import { CapabilityName, Scope, type Partner } from '@causeway/contracts'
import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

/** A partner as it is stored. */
export const PartnerRow = z.object({
  partner_id: z.string(),
  name: z.string(),
  status: z.enum(['active', 'disabled']),
  scopes: z.array(Scope),
  default_capabilities: z.array(CapabilityName),
  created_at: z.date(),
})
export type PartnerRow = z.infer<typeof PartnerRow>

const COLUMNS = 'partner_id, name, status, scopes, default_capabilities, created_at'

const insert = statement({
  name: 'partners.insert',
  text: `
    INSERT INTO partners (partner_id, name, status, scopes, default_capabilities, created_at, revision)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
})
const read = statement({
  name: 'partners.read',
  text: `SELECT ${COLUMNS} FROM partners WHERE partner_id = $1`,
  row: PartnerRow,
})
const list = statement({
  name: 'partners.list',
  text: `
    SELECT ${COLUMNS} FROM partners
    WHERE (created_at, partner_id) > ($1, $2)
    ORDER BY created_at, partner_id LIMIT $3`,
  row: PartnerRow,
})
const update = statement({
  name: 'partners.update',
  text: `
    UPDATE partners SET name = $2, status = $3, scopes = $4, default_capabilities = $5, revision = $6
    WHERE partner_id = $1`,
})

/** How the API shows a partner (decisions §14). */
export const presentPartner = (row: PartnerRow): Partner => ({
  partner_id: row.partner_id,
  name: row.name,
  status: row.status,
  scopes: row.scopes,
  default_capabilities: row.default_capabilities,
  created_at: row.created_at.toISOString(),
})

/** Partners. Whoever writes has taken the registry's lock (see change-feed/store.ts). */
export const partnerStore = {
  insert: (tx: Queryable, row: PartnerRow, revision: number) =>
    tx.query(insert, [
      row.partner_id,
      row.name,
      row.status,
      row.scopes,
      row.default_capabilities,
      row.created_at,
      revision,
    ]),
  read: async (db: Queryable, partnerId: string): Promise<PartnerRow | null> =>
    (await db.query(read, [partnerId]))[0] ?? null,
  /** Oldest first, after a position in (created_at, partner_id). */
  list: (db: Queryable, after: Readonly<{ createdAt: Date | string; partnerId: string }>, limit: number) =>
    db.query(list, [after.createdAt, after.partnerId, limit]),
  update: (tx: Queryable, row: PartnerRow, revision: number) =>
    tx.query(update, [row.partner_id, row.name, row.status, row.scopes, row.default_capabilities, revision]),
}
